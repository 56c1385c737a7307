import { badRequest, templateRuleBroken } from '../../errors/domain-error.js';
import { tooLong } from '../../http/field-rules.js';
import { bothNamed } from '../../media/media.errors.js';
import { isMediaFormat, type TemplateCategory } from '../template.js';
import { checkAuthentication, refuseAuthenticationFields } from './authentication-rules.js';
import { checkButtons } from './button-rules.js';
import { checkHeader } from './header-rules.js';
import { checkOffer } from './offer-rules.js';
import type { BodyDraft, TemplateDraft } from './template-draft.js';
import { checkNoVariables, checkVariables, given } from './text-rules.js';

/** Characters of a body beside an offer. */
const MAX_OFFER_BODY = 600;

/** How long the network may try to deliver a message, seconds, by category. */
const TTL: Readonly<Record<TemplateCategory, readonly [min: number, max: number]>> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
};
/** The network's default of 30 days. */
export const NETWORK_TTL = -1;
/** The longest of any category. */
export const MAX_TTL = Math.max(...Object.values(TTL).map(([, max]) => max));

/**
 * Checks a standard template against all the network's rules we know, so that the caller gets our error instead of its
 * refusal.
 *
 * @throws DomainError 422 `{detail}` naming the field, the rule and the value; 400 for a header without a file, or with two
 */
export function checkTemplate(draft: TemplateDraft): void {
  checkTtl(draft.messageSendTtlSeconds, draft.category);
  if (draft.limitedTimeOffer !== null) checkOffer(draft);
  if (draft.category === 'AUTHENTICATION') {
    checkAuthentication(draft);
    return;
  }
  refuseAuthenticationFields(draft);
  const bodyText = checkBodyText(draft.body);
  const long = draft.limitedTimeOffer === null ? null : tooLong('body.text', bodyText, MAX_OFFER_BODY);
  if (long !== null) throw templateRuleBroken(long);
  const headerText = draft.header === null ? '' : checkHeader(draft.header);
  checkVariables([
    { field: 'header.text', text: headerText },
    { field: 'body.text', text: bodyText },
  ]);
  if (draft.footer !== null) {
    checkNoVariables('footer.text', given('footer.text', draft.footer.text));
  }
  checkButtons(draft.buttons ?? [], { field: 'buttons', offerCode: draft.offerCode });
  if (draft.mediaUrl !== null && draft.mediaId !== null) throw bothNamed();
  if (
    draft.header !== null &&
    isMediaFormat(draft.header.format) &&
    draft.mediaUrl === null &&
    draft.mediaId === null
  ) {
    throw badRequest(`media_url is required when header.format is ${draft.header.format}, unless media_id is given`);
  }
}

/** Returns the body's text; throws when it is missing. */
export function checkBodyText(body: BodyDraft | null): string {
  if (body === null) throw templateRuleBroken('body is required');
  return given('body.text', body.text);
}

/** @throws DomainError 422 `{detail}` when the TTL is outside the network's range for the category */
export function checkTtl(seconds: number | null, category: TemplateCategory): void {
  if (seconds === null || seconds === NETWORK_TTL) return;
  const [min, max] = TTL[category];
  if (!Number.isInteger(seconds) || seconds < min || seconds > max) {
    throw templateRuleBroken(
      `message_send_ttl_seconds must be a whole number from ${min} to ${max} for ${category} templates, or ${NETWORK_TTL} (got ${seconds})`,
    );
  }
}
