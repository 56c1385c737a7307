import type { CreateCampaignResponse } from '../../src/campaigns/dto/create-campaign.dto.js';
import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import type { ImportResponse } from '../../src/contacts/dto/import-response.dto.js';
import { act, sentTo, untilCampaign } from '../campaigns/campaigns.js';
import { openWindow, SEND } from '../messages/messages.js';
import { crowdOf } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import type { TestAccount, World } from '../support/world.js';
import { CONTACTS } from './merging.js';
import { type DrawnPerson, pick, type SpelledPerson } from './spelled-people.js';

/** A message of a thread, as the API shows it. */
export interface ThreadMessage {
  readonly message_id: string;
  readonly direction: string;
  readonly content: string;
}

/** An account that people come to by all ways in, with their numbers in all spellings. */
export class Crowd {
  private constructor(
    readonly world: World,
    readonly account: TestAccount,
    /** A template that everybody may get. */
    readonly utility: string,
    /** A template for those who have not opted out. */
    readonly marketing: string,
  ) {}

  static async of(world: World): Promise<Crowd> {
    const account = await world.account();
    const { name: utility } = await approvedTemplate(world, account);
    const { name: marketing } = await approvedTemplate(world, account, {
      category: 'MARKETING',
      body: { text: 'Sale' },
    });
    return new Crowd(world, account, utility, marketing);
  }

  /** The account's contacts, at most 100. */
  async contacts(): Promise<ContactRecord[]> {
    const { body } = await this.account.api.get<{ contacts: ContactRecord[]; total: number }>(`${CONTACTS}?limit=100`);
    expect(body.contacts).toHaveLength(body.total);
    return body.contacts;
  }

  /** The contact of each person, by their number of today; fails unless each has exactly one, and nobody else is there. */
  async contactPerPerson(people: readonly SpelledPerson[]): Promise<Map<string, ContactRecord>> {
    const all = await this.contacts();
    const own = people.map(({ numbers }) => all.filter(({ phone_number }) => numbers.includes(phone_number ?? '')));
    const shown = own.map((found, index) => [people[index]?.numbers, found.length]);
    expect(shown).toEqual(people.map(({ numbers }) => [numbers, 1]));
    expect(all).toHaveLength(people.length);
    return new Map(people.map(({ numbers }, index) => [numbers[0], own[index]?.[0] as ContactRecord]));
  }

  /** The messages of the thread that a number leads to. */
  async thread(number: string): Promise<ThreadMessage[]> {
    const { body } = await this.account.api.get<{ messages: ThreadMessage[] }>(
      `/api/v1/conversations/${number}/messages?limit=100`,
    );
    // Without what reports change meanwhile.
    return body.messages.map(({ message_id, direction, content }) => ({ message_id, direction, content }));
  }

  /** How many threads the account has. */
  async threadCount(): Promise<number> {
    return (await this.account.api.get<{ total: number }>('/api/v1/conversations/?limit=1')).body.total;
  }

  /** Creates a contact with one spelling; returns the status. */
  async create(phone_number: string): Promise<number> {
    return (await this.account.api.post(CONTACTS, { phone_number, first_name: 'Ada' })).status;
  }

  /** Imports numbers as written, all of which must be read. */
  async upload(texts: readonly string[], country: string | null = null): Promise<ImportResponse> {
    const raw = `phone_number,first_name\n${texts.map((text) => `"${text}",Ada\n`).join('')}`;
    const query = country === null ? '' : `?default_country=${country}`;
    const options = { raw, headers: { 'content-type': 'text/csv' } };
    const { body } = await this.account.api.post<ImportResponse>(`${CONTACTS}import${query}`, undefined, options);
    expect(body).toMatchObject({ failed: 0, errors: [] });
    return body;
  }

  /** Creates a campaign for numbers as written, of so many people. */
  async campaign(texts: readonly string[], people: number, more: Record<string, unknown> = {}): Promise<string> {
    const { body } = await this.account.api.post<CreateCampaignResponse>('/api/v1/campaigns/', {
      name: 'Spring',
      template_name: this.utility,
      contacts: texts.map((phone) => ({ phone })),
      ...more,
    });
    expect(body).toMatchObject({ total_contacts: people, invalid_phones: [] });
    return body.campaign_id;
  }

  /** Sends a new template of a category by a campaign to numbers as written; returns the numbers it went to. */
  async broadcast(category: string, texts: readonly string[], people: number): Promise<string[]> {
    const { name } = await approvedTemplate(this.world, this.account, { category, body: { text: 'News' } });
    const id = await this.campaign(texts, people, { template_name: name });
    expect((await act(this.account, id, 'send')).status).toBe(202);
    await untilCampaign(this.account, id, 'completed');
    return sentTo(this.world, this.account, name);
  }

  say(text: string, from: string): Promise<string> {
    return openWindow(this.world, this.account.phone, from, { text });
  }

  /** Sends a template to a number; returns the status. */
  async send(template_name: string, contact_phone: string): Promise<number> {
    return (await this.account.api.post(SEND, { template_name, contact_phone })).status;
  }

  /** Sends a marketing template to a number; returns why it was refused, or null. */
  async marketingRefusal(contact_phone: string): Promise<string | null> {
    const { status, body } = await this.account.api.post(SEND, { template_name: this.marketing, contact_phone });
    return status === 200 ? null : String(body['error']);
  }

  /** Lets everybody in by all ways at the same time. */
  async letInAtOnce(people: readonly DrawnPerson[]): Promise<void> {
    await Promise.all(WAYS.map((way, turn) => way(this, people, turn * WRITTEN_AT_ONCE)));
  }

  /** Lets people in, each by the way that is theirs in this turn. In seven turns everybody comes by every way. */
  async letIn(people: readonly DrawnPerson[], turn: number): Promise<void> {
    for (const [index, way] of WAYS.entries()) {
      const own = people.filter(({ choices }) => ((choices[0] ?? 0) + turn) % WAYS.length === index);
      if (own.length > 0) await way(this, own, turn * WRITTEN_AT_ONCE);
    }
  }
}

/** Why a person who takes marketing gets none all the same: the network drops all of it in the United States. */
export const closedTo = ({ country }: Pick<DrawnPerson, 'country'>): string | null =>
  country === 'US' ? 'marketing_closed' : null;

/** How many requests of a way are under way at any moment: all seven ways may be gone at once. */
const AT_ONCE = 3;
/** In how many writings a person comes at once. */
const WRITTEN_AT_ONCE = 3;
type Way = (crowd: Crowd, people: readonly DrawnPerson[], turn: number) => Promise<unknown>;

const several = (
  people: readonly DrawnPerson[],
  turn: number,
  texts: 'international' | 'national' = 'international',
): string[] =>
  Array.from({ length: WRITTEN_AT_ONCE }, (_, each) =>
    people.map((person) => pick(person[texts], person, turn + each)),
  ).flat();

const some = <T>(people: readonly DrawnPerson[], work: (person: DrawnPerson) => Promise<T>): Promise<T[]> =>
  crowdOf(people, work, AT_ONCE);

/** The ways by which people become contacts. */
const WAYS: readonly Way[] = [
  (crowd, people, turn) =>
    some(people, async (person) =>
      expect([201, 409]).toContain(await crowd.create(pick(person.numbers, person, turn))),
    ),
  (crowd, people, turn) => crowd.upload(several(people, turn)),
  // One after another: an account may upload a few files at a time.
  async (crowd, people, turn) => {
    for (const person of people) await crowd.upload(several([person], turn, 'national'), person.country);
  },
  (crowd, people, turn) => crowd.campaign(several(people, turn), people.length),
  (crowd, people, turn) =>
    some(people, (person) =>
      crowd.campaign(several([person], turn, 'national'), 1, { default_country: person.country }),
    ),
  (crowd, people, turn) =>
    some(people, async (person) =>
      expect(await crowd.send(crowd.utility, pick(person.numbers, person, turn))).toBe(200),
    ),
  (crowd, people, turn) => some(people, (person) => crowd.say('Hello', pick(person.numbers, person, turn))),
];
/** After so many turns everybody has come by every way. */
export const TURNS: number = WAYS.length;
