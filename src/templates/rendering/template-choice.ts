import { badRequest, notFound } from '../../errors/domain-error.js';
import type { Template } from '../template.entity.js';

/** Which template a send asks for. */
export interface TemplateQuestion {
  readonly name: string;
  readonly language: string | null;
  /** The business account of the primary phone, which wins among several. */
  readonly primaryWabaId: string | null;
}

const DEFAULT_LANGUAGE = 'en_US';

/**
 * The one template that a name stands for.
 *
 * @param named every template of that name in the business accounts that come into question
 * @throws DomainError 404 when there is none, or none in the language asked for; 400 when there are several to choose from
 */
export function chooseTemplate(named: readonly Template[], question: TemplateQuestion): Template {
  const { name, language, primaryWabaId } = question;
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
  const usual = candidates.find((template) => template.language === DEFAULT_LANGUAGE);
  if (usual !== undefined) return usual;
  throw badRequest(
    `template ${name} exists in several languages: choose one of ${languagesOf(candidates)} with template_language`,
  );
}

/**
 * The template that something was made from, which must still be there and approved.
 *
 * @throws DomainError 400 otherwise
 */
export function stillSendable(template: Template | null): Template {
  if (template === null) throw badRequest('the template was deleted');
  checkApproved(template);
  return template;
}

/** @throws DomainError 400 naming the status unless the template can be sent */
export function checkApproved({ name, language, status, networkStatus }: Template): void {
  if (status === 'APPROVED') return;
  const detail = networkStatus === status ? '' : ` (the network says ${networkStatus})`;
  throw badRequest(`template ${name} (${language}) is not approved: its status is ${status}${detail}`);
}

const languagesOf = (templates: readonly Template[]): string =>
  [...new Set(templates.map(({ language }) => language))].sort().join(', ');
