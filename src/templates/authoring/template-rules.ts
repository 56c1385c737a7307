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

/** Seconds that a message may wait for its delivery, by category. */
const TTL: Readonly<Record<TemplateCategory, readonly [least: number, most: number]>> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
};
/** Asks for the network's default of 30 days. */
const NETWORK_TTL = -1;

/**
 * Every rule for a template other than a carousel, so that the network does not refuse it for a reason that we could
 * have given.
 *
 * @throws DomainError 422 `{detail}` naming field, rule and value; 400 for a missing `media_url`
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

/** The body's text, which must be there and within its limit. */
export function checkBodyText(body: BodyDraft | null, most: number = MAX_BODY): string {
  if (body === null) throw templateRuleBroken('body is required');
  return checkRequired('body.text', body.text, most);
}

/** @throws DomainError 422 `{detail}` when the time is outside what the network grants the category */
export function checkTtl(seconds: number | null, category: TemplateCategory): void {
  if (seconds === null || seconds === NETWORK_TTL) return;
  const [least, most] = TTL[category];
  if (!Number.isInteger(seconds) || seconds < least || seconds > most) {
    throw templateRuleBroken(
      `message_send_ttl_seconds must be a whole number from ${least} to ${most} for ${category} templates, or ${NETWORK_TTL} (got ${seconds})`,
    );
  }
}
