import type { ContactRecord, TemplateRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { parley } from '../../../data/api.js';
import { inboxTemplateWords } from '../../../words/inbox-template.js';
import { readPhones } from '../business-phones.js';

/** The templates that a phone may send now, by name. */
export async function readTemplates(phone: string, signal: AbortSignal): Promise<readonly TemplateRecord[]> {
  const [{ templates }, phones] = await Promise.all([
    parley.templates.list({ status: 'APPROVED' }, { signal }),
    readPhones(signal),
  ]);
  const business = (id: string): string | undefined =>
    phones.find(({ waba_phone_id }) => waba_phone_id === id)?.waba_id;
  const own = business(phone);
  return templates
    .filter(({ unsupported = [], waba_phone_id }) => unsupported.length === 0 && business(waba_phone_id) === own)
    .sort((one, other) => one.name.localeCompare(other.name) || one.language.localeCompare(other.language));
}

/** Why somebody can’t be sent a template from here; null when they can. */
export function refusalOf(template: TemplateRecord, person: Pick<ContactRecord, 'opted_in'> | null): string | null {
  const { optedOut, carousel, code } = inboxTemplateWords.refusals;
  if (template.category === 'MARKETING' && person?.opted_in === false) return optedOut;
  if (template.is_carousel) return carousel;
  return template.category === 'AUTHENTICATION' ? code : null;
}

/** The templates with a text in their name or body. */
export function templatesWith(templates: readonly TemplateRecord[], text: string): readonly TemplateRecord[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return templates;
  return templates.filter(({ name, body }) =>
    `${name} ${name.replaceAll('_', ' ')} ${body}`.toLowerCase().includes(wanted),
  );
}

const languages = new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' });

/** A language as people say it: “German” for `de`. */
export function languageName(code: string): string {
  try {
    return languages.of(code.replaceAll('_', '-')) ?? code;
  } catch {
    return code;
  }
}
