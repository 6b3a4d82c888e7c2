"""The sites to practise on. A flow is one module with a FLOW, and its name in one of the sets."""

from __future__ import annotations

from typing import Literal

from subterminator.gym.flow import Flow
from subterminator.gym.flows import (
    p01_plain,
    p02_flix,
    p03_offer,
    p04_pause,
    p05_survey,
    p06_three,
    p07_footer,
    p08_kebab,
    p09_modal_cancel,
    p10_negation,
    p11_preticked,
    p12_type,
    p13_delay,
    p14_stripeish,
    p15_iframe,
    p16_shadow,
    p17_login,
    p18_captcha,
    p19_store,
    p20_phone,
    p21_already,
    p22_mail,
    p23_fee,
    p24_de,
    p25_delete,
    q01_switch,
    q02_rows,
    q03_steps_fr,
    q04_chat_es,
    q05_gear,
    q06_link_it,
    q07_free,
    q08_carrier_de,
    q09_over,
    q10_paydesk,
    r01_stream,
    r02_paper,
    r03_suite,
    r04_vpn,
    r05_cloud,
    r06_studio_de,
    r07_kochbox_de,
    r08_rencontre_fr,
    r09_racha_es,
    r10_giga_it,
    s01_music,
    s02_pass,
    s03_vault,
    s04_gift,
    s05_stride,
    s06_zeitung_de,
    s07_host,
    s08_prisme_fr,
    s09_envios_es,
    s10_aula_it,
)

BASE: tuple[Flow, ...] = (
    p01_plain.FLOW,
    p02_flix.FLOW,
    p03_offer.FLOW,
    p04_pause.FLOW,
    p05_survey.FLOW,
    p06_three.FLOW,
    p07_footer.FLOW,
    p08_kebab.FLOW,
    p09_modal_cancel.FLOW,
    p10_negation.FLOW,
    p11_preticked.FLOW,
    p12_type.FLOW,
    p13_delay.FLOW,
    p14_stripeish.FLOW,
    p15_iframe.FLOW,
    p16_shadow.FLOW,
    p17_login.FLOW,
    p18_captcha.FLOW,
    p19_store.FLOW,
    p20_phone.FLOW,
    p21_already.FLOW,
    p22_mail.FLOW,
    p23_fee.FLOW,
    p24_de.FLOW,
    p25_delete.FLOW,
)
# Written after the planner was, in other words and other shapes.
FURTHER: tuple[Flow, ...] = (
    q01_switch.FLOW,
    q02_rows.FLOW,
    q03_steps_fr.FLOW,
    q04_chat_es.FLOW,
    q05_gear.FLOW,
    q06_link_it.FLOW,
    q07_free.FLOW,
    q08_carrier_de.FLOW,
    q09_over.FLOW,
    q10_paydesk.FLOW,
)
# Written for measuring alone, by somebody who did not know the planner: nobody tunes to them.
UNSEEN: tuple[Flow, ...] = (
    r01_stream.FLOW,
    r02_paper.FLOW,
    r03_suite.FLOW,
    r04_vpn.FLOW,
    r05_cloud.FLOW,
    r06_studio_de.FLOW,
    r07_kochbox_de.FLOW,
    r08_rencontre_fr.FLOW,
    r09_racha_es.FLOW,
    r10_giga_it.FLOW,
)
# The same again, for a planner that was mended meanwhile.
BLIND: tuple[Flow, ...] = (
    s01_music.FLOW,
    s02_pass.FLOW,
    s03_vault.FLOW,
    s04_gift.FLOW,
    s05_stride.FLOW,
    s06_zeitung_de.FLOW,
    s07_host.FLOW,
    s08_prisme_fr.FLOW,
    s09_envios_es.FLOW,
    s10_aula_it.FLOW,
)
FLOWS = (*BASE, *FURTHER, *UNSEEN, *BLIND)
FlowSet = Literal["base", "further", "unseen", "blind"]
SETS: dict[FlowSet, tuple[Flow, ...]] = {
    "base": BASE,
    "further": FURTHER,
    "unseen": UNSEEN,
    "blind": BLIND,
}


def set_of(flow: str) -> FlowSet | None:
    """The set in which a flow is, by its id; None if it is not one of ours."""
    return next((name for name, flows in SETS.items() if flow in {it.id for it in flows}), None)
