import { templateRuleBroken } from '../../errors/domain-error.js';
import { shown } from '../../http/field-rules.js';
import type { TemplateDraft } from './template-draft.js';

const OFFER_HEADERS: readonly string[] = ['IMAGE', 'VIDEO'];

/**
 * Checks a limited-time offer: MARKETING, with a text, an `offer_code` and a COPY_CODE button first, no footer, and an
 * image, a video or nothing as its header. The shorter limit of its body is checked with the body.
 *
 * @throws DomainError 422 `{detail}`
 */
export function checkOffer(draft: TemplateDraft): void {
  const { category, header, footer, offerCode, buttons } = draft;
  if (category !== 'MARKETING') {
    throw templateRuleBroken(`limited_time_offer is for MARKETING templates only (got category ${category})`);
  }
  if (header !== null && !OFFER_HEADERS.includes(header.format)) {
    throw templateRuleBroken(
      `header.format must be ${OFFER_HEADERS.join(' or ')}, or header left out, when limited_time_offer is set ` +
        `(got ${header.format})`,
    );
  }
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
