import type { ContactRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { givenName } from '../person-name.js';

/** What is known of somebody and may stand in a message to them. */
export type KnownPerson = Pick<ContactRecord, 'first_name' | 'last_name' | 'email' | 'company' | 'phone_number'>;

/** Names of variables, without underscores, by the value that they mean. */
const MEANINGS: readonly { readonly names: RegExp; readonly value: (person: KnownPerson) => string | null }[] = [
  { names: /^(?:first|given|fore|customer|contact|client|user|recipient)?name$/, value: firstName },
  { names: /^(?:last|family|sur)name$/, value: ({ last_name }) => last_name },
  { names: /^fullname$/, value: fullName },
  { names: /^e?mail(?:address)?$/, value: ({ email }) => email },
  { names: /^(?:company|companyname|business|organi[sz]ation)$/, value: ({ company }) => company },
  { names: /^(?:phone|phonenumber|mobile)$/, value: ({ phone_number }) => phone_number },
];

const VARIABLE = /\{\{\s*([^{}\s]+)\s*\}\}/g;
/** What people write before a name, in its line. */
const GREETING = /^\s*(?:hello|hi|hey|dear|good (?:morning|afternoon|evening|day)|hallo|hola|olá|bonjour|ciao)\s+$/i;

/**
 * What a variable stands for in a message to somebody; empty where nothing tells. A number that follows a greeting is
 * their first name.
 *
 * @param name in lower case
 * @param text in which the variable stands
 */
export function personalValue(name: string, text: string, person: KnownPerson): string {
  const plain = name.replaceAll('_', '');
  const meaning = /^\d+$/.test(name)
    ? followsGreeting(name, text) && firstName
    : MEANINGS.find(({ names }) => names.test(plain))?.value;
  return (meaning ? meaning(person) : null) ?? '';
}

function followsGreeting(name: string, text: string): boolean {
  const place = [...text.matchAll(VARIABLE)].find(([, variable]) => variable === name)?.index ?? 0;
  return GREETING.test(text.slice(0, place).split('\n').at(-1) ?? '');
}

function firstName({ first_name }: KnownPerson): string | null {
  return givenName(first_name);
}

function fullName(person: KnownPerson): string | null {
  const parts = [firstName(person), person.last_name].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ');
}
