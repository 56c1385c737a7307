import fc from 'fast-check';
import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import type { ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import { crowdOf } from '../support/crowd.js';
import { type TestAccount, World } from '../support/world.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  account = await world.account();
});
afterAll(() => world.stop());

const PATH = '/api/v1/contacts/';
/** Characters that could break patterns, quotes, escapes, indexes and case folding. */
const CHARACTERS = [...'aAbB1 9%_\\\'"?*.+[(^$|;-', '--', '\\\\', '%%', 'é', 'É', 'ß', 'Ж', 'ж', '京', '😀', '\u0301'];
const characters = fc.constantFrom(...CHARACTERS);
const text = (least: number, most: number) =>
  fc.array(characters, { minLength: least, maxLength: most }).map((all) => all.join(''));

/** What a search compares, for the characters above. */
const folded = (value: string): string =>
  value.normalize('NFD').replaceAll('\u0301', '').toLowerCase().replaceAll('ß', 'ss').replace(/ +/g, ' ').normalize();

/** The digits of a search that is written as a number. */
const digitsOf = (search: string): string | null => {
  const digits = search.replace(/[^0-9]/g, '').replace(/^00?(?=[1-9][0-9]{2})/, '');
  const isNumber = /^['(]*\+?[-./()[\] 0-9]+$/.test(search);
  return isNumber && (digits.length > 2 || (digits !== '' && search.includes('+'))) ? digits : null;
};

/** The reference implementation: name, phone or email contains the text, or the phone its digits. */
const matches = ({ first_name, last_name, phone_number, email }: ContactRecord, search: string): boolean => {
  const text = folded(search).trim();
  const digits = digitsOf(text);
  const name = last_name === null ? first_name : `${first_name} ${last_name}`;
  return (
    [name, phone_number, email].some((field) => folded(field ?? '').includes(text)) ||
    (digits !== null && (phone_number ?? '').includes(digits))
  );
};

it('search finds exactly the contacts whose name, phone or email contains the text', async () => {
  const drawn = fc.sample(fc.tuple(text(1, 12), text(0, 8), fc.boolean(), fc.nat(9_999_999)), 60);
  const made = await crowdOf(
    drawn.filter(([first]) => first.trim() !== ''),
    async ([first_name, last_name, mails, digits], index) => {
      const { body } = await account.api.post<{ contact: ContactRecord }>(PATH, {
        phone_number: `4915${10 + index}${String(digits).padStart(7, '0')}`,
        first_name,
        last_name,
        email: mails ? `Ab.${index}%b_@post.example` : null,
      });
      return body.contact;
    },
  );
  // Pieces of stored values find something; random strings mostly nothing.
  const pieces = fc
    .tuple(fc.constantFrom(...made), fc.nat(30), fc.integer({ min: 1, max: 9 }), fc.boolean())
    .map(([contact, from, length, shout]) => {
      const all = [...`${contact.first_name} ${contact.last_name ?? ''}${contact.email ?? ''}${contact.phone_number}`];
      const piece = all.slice(from % all.length, (from % all.length) + length).join('');
      return shout ? piece.toUpperCase() : piece;
    });
  await fc.assert(
    fc.asyncProperty(fc.oneof(text(1, 5), pieces), async (search) => {
      const { body } = await account.api.get<ContactsResponse>(
        `${PATH}?limit=100&search=${encodeURIComponent(search)}`,
      );
      const right = made.filter((contact) => matches(contact, search)).map(({ id }) => id);
      expect([search, body.contacts.map(({ id }) => id).sort()]).toEqual([search, right.sort()]);
      expect(body.total).toBe(right.length);
    }),
    { numRuns: 300 },
  );
});
