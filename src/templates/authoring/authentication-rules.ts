import { templateRuleBroken } from '../../errors/domain-error.js';
import type { TemplateDraft } from './template-draft.js';

const MIN_EXPIRATION_MINUTES = 1;
const MAX_EXPIRATION_MINUTES = 90;

/**
 * Checks an AUTHENTICATION template. The network writes its text; the caller only chooses the security recommendation
 * and the expiration.
 *
 * @throws DomainError 422 `{detail}`
 */
export function checkAuthentication(draft: TemplateDraft): void {
  for (const field of ['body', 'header', 'footer', 'buttons'] as const) {
    if (draft[field] !== null) {
      throw templateRuleBroken(`${field} is not accepted for AUTHENTICATION templates: the network writes their text`);
    }
  }
  const minutes = draft.codeExpirationMinutes;
  if (minutes === null) return;
  if (!Number.isInteger(minutes) || minutes < MIN_EXPIRATION_MINUTES || minutes > MAX_EXPIRATION_MINUTES) {
    throw templateRuleBroken(
      `code_expiration_minutes must be a whole number from ${MIN_EXPIRATION_MINUTES} to ${MAX_EXPIRATION_MINUTES} (got ${minutes})`,
    );
  }
}

/** Refuses the AUTHENTICATION-only fields on other templates. */
export function refuseAuthenticationFields(draft: TemplateDraft): void {
  const given =
    draft.addSecurityRecommendation !== null
      ? 'add_security_recommendation'
      : draft.codeExpirationMinutes !== null
        ? 'code_expiration_minutes'
        : null;
  if (given !== null) {
    throw templateRuleBroken(`${given} is for AUTHENTICATION templates only (got category ${draft.category})`);
  }
}
