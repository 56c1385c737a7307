import { templateRuleBroken } from '../../errors/domain-error.js';
import type { TemplateDraft } from './template-draft.js';

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
