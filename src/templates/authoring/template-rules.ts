import { badRequest, templateRuleBroken } from '../../errors/domain-error.js';
import { isMediaFormat, type TemplateCategory } from '../template.js';
import { checkAuthentication, refuseAuthenticationFields } from './authentication-rules.js';
import { checkButtons } from './button-rules.js';
import { checkHeader } from './header-rules.js';
import { checkOffer } from './offer-rules.js';
import type { BodyDraft, TemplateDraft } from './template-draft.js';
import {
  checkLanguage,
  checkLength,
  checkName,
  checkNoVariables,
  checkRequired,
  checkVariables,
} from './text-rules.js';

const MAX_BODY = 1024;
const MAX_OFFER_BODY = 600;
const MAX_FOOTER = 60;
const MAX_OFFER_CODE = 15;

/** How long the network may try to deliver a message, seconds, by category. */
const TTL: Readonly<Record<TemplateCategory, readonly [min: number, max: number]>> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
};
/** The network's default of 30 days. */
const NETWORK_TTL = -1;

/**
 * Checks a standard template against all the network's rules we know, so that the caller gets our error instead of its
 * refusal.
 *
 * @throws DomainError 422 `{detail}` naming the field, the rule and the value; 400 for a missing `media_url`
 */
export function checkTemplate(draft: TemplateDraft): void {
  checkName(draft.name);
  checkLanguage(draft.language);
  checkTtl(draft.messageSendTtlSeconds, draft.category);
  if (draft.offerCode !== null) checkLength('offer_code', draft.offerCode, MAX_OFFER_CODE);
  if (draft.limitedTimeOffer !== null) checkOffer(draft.limitedTimeOffer, draft);
  if (draft.category === 'AUTHENTICATION') {
    checkAuthentication(draft);
    return;
  }
  refuseAuthenticationFields(draft);
  const bodyText = checkBodyText(draft.body, draft.limitedTimeOffer === null ? MAX_BODY : MAX_OFFER_BODY);
  const headerText = draft.header === null ? '' : checkHeader(draft.header);
  checkVariables([
    { field: 'header.text', text: headerText },
    { field: 'body.text', text: bodyText },
  ]);
  if (draft.footer !== null) {
    checkNoVariables('footer.text', checkRequired('footer.text', draft.footer.text, MAX_FOOTER));
  }
  checkButtons(draft.buttons ?? [], { field: 'buttons', offerCode: draft.offerCode });
  if (draft.header !== null && isMediaFormat(draft.header.format) && draft.mediaUrl === null) {
    throw badRequest(`media_url is required when header.format is ${draft.header.format}`);
  }
}

/** Returns the body's text; throws when it is missing or too long. */
export function checkBodyText(body: BodyDraft | null, max: number = MAX_BODY): string {
  if (body === null) throw templateRuleBroken('body is required');
  return checkRequired('body.text', body.text, max);
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
