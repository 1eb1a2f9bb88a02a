"""`python -m aver`: the command, where its script is not on the path."""

from aver.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
