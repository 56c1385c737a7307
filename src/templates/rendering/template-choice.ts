import { badRequest, notFound } from '../../errors/domain-error.js';
import type { Template } from '../template.entity.js';
import { unsupportedParts } from '../template-support.js';

/** How a request names a template. */
export interface TemplateRef {
  readonly name: string;
  /** Null for the only language, or `en_US` among several. */
  readonly language: string | null;
}

const DEFAULT_LANGUAGE = 'en_US';

/**
 * Picks the template that a request means.
 *
 * @param named all templates of that name in the eligible business accounts
 * @param primaryWabaId the business account of the primary phone, which wins among several
 * @throws DomainError 404 when there is none, or none in the given language; 400 when the choice is ambiguous
 */
export function chooseTemplate(
  named: readonly Template[],
  { name, language }: TemplateRef,
  primaryWabaId: string | null,
): Template {
  if (named.length === 0) throw notFound(`template ${name} was not found`);
  const inLanguage = language === null ? named : named.filter((template) => template.language === language);
  if (inLanguage.length === 0) {
    throw notFound(`template ${name} was not found in ${language}: it exists in ${languagesOf(named)}`);
  }
  const businesses = new Set(inLanguage.map(({ wabaId }) => wabaId));
  const [onlyBusiness = ''] = businesses;
  const wabaId = businesses.size === 1 ? onlyBusiness : primaryWabaId;
  const candidates = inLanguage.filter((template) => template.wabaId === wabaId);
  if (candidates.length === 0) {
    throw badRequest(`template ${name} exists in several business accounts: choose one with waba_phone_id`);
  }
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  const inDefault = candidates.find((template) => template.language === DEFAULT_LANGUAGE);
  if (inDefault !== undefined) return inDefault;
  throw badRequest(
    `template ${name} exists in several languages: choose one of ${languagesOf(candidates)} with template_language`,
  );
}

/** @throws DomainError 400 when the template was deleted, or as {@link checkForCampaign} */
export function requireForCampaign(template: Template | null): Template {
  if (template === null) throw badRequest('the template was deleted');
  checkForCampaign(template);
  return template;
}

/** Like {@link checkSendable}; a FLOW button is a 400 too, because every message would need its own token. */
export function checkForCampaign(template: Template): void {
  checkSendable(template);
  if (template.buttons.some(({ type }) => type === 'FLOW')) {
    throw badRequest(`template ${template.name} has a FLOW button, which campaigns do not support`);
  }
}

/** @throws DomainError 400 naming the status unless the template is approved, or the parts that cannot be filled in */
export function checkSendable(template: Template): void {
  const { name, language, status, networkStatus } = template;
  if (status !== 'APPROVED') {
    const detail = networkStatus === status ? '' : ` (the network says ${networkStatus})`;
    throw badRequest(`template ${name} (${language}) is not approved: its status is ${status}${detail}`);
  }
  const unsupported = unsupportedParts(template);
  if (unsupported.length > 0) {
    throw badRequest(`template ${name} (${language}) has parts that Parley cannot fill in: ${unsupported.join(', ')}`);
  }
}

const languagesOf = (templates: readonly Template[]): string =>
  [...new Set(templates.map(({ language }) => language))].sort().join(', ');
