import { templateRuleBroken } from '../../errors/domain-error.js';
import { shown } from '../../http/field-rules.js';
import type { OfferDraft, TemplateDraft } from './template-draft.js';
import { checkRequired } from './text-rules.js';

const MAX_OFFER_TEXT = 16;

/**
 * Checks a limited-time offer: MARKETING, with a text, an `offer_code` and a COPY_CODE button first, and no footer. The
 * shorter limit of its body is checked with the body.
 *
 * @throws DomainError 422 `{detail}`
 */
export function checkOffer(offer: OfferDraft, { category, footer, offerCode, buttons }: TemplateDraft): void {
  if (category !== 'MARKETING') {
    throw templateRuleBroken(`limited_time_offer is for MARKETING templates only (got category ${category})`);
  }
  checkRequired('limited_time_offer.text', offer.text, MAX_OFFER_TEXT);
  if (footer !== null) {
    throw templateRuleBroken(`footer must be left out when limited_time_offer is set (got ${shown(footer.text)})`);
  }
  if (offerCode === null) throw templateRuleBroken('offer_code is required when limited_time_offer is set');
  const [first] = buttons ?? [];
  if (first?.type !== 'COPY_CODE') {
    const found = first === undefined ? 'no buttons' : first.type;
    throw templateRuleBroken(`buttons[0] must be of type COPY_CODE when limited_time_offer is set (got ${found})`);
  }
}
