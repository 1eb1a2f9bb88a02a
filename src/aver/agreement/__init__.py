"""How far voters agree, and what they decided: Krippendorff's alpha and its kin, micro-verdicts and claim
labels."""

from __future__ import annotations

from aver.agreement._agree import Agreement, Decision, Figures, agree
from aver.agreement._alpha import Alpha, alpha
from aver.agreement._kappa import FleissKappa, RandolphKappa, fleiss_kappa, randolph_kappa
from aver.agreement._read import Item, read_votes
from aver.agreement._spread import Entropy, TotalAgreement, Voters, entropy, total_agreement, voters
from aver.agreement._verdicts import claim_label, micro_verdict

__all__ = [
    "Agreement",
    "Alpha",
    "Decision",
    "Entropy",
    "Figures",
    "FleissKappa",
    "Item",
    "RandolphKappa",
    "TotalAgreement",
    "Voters",
    "agree",
    "alpha",
    "claim_label",
    "entropy",
    "fleiss_kappa",
    "micro_verdict",
    "randolph_kappa",
    "read_votes",
    "total_agreement",
    "voters",
]
