import fc from 'fast-check';
import { openWindow, secondsAgo } from '../messages/messages.js';
import { erase } from '../personal-data/erasing.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { ledgerOf, preference, standingOf, upload } from './consent.js';

/** What happens to one person in one account. */
type Step =
  | { readonly kind: 'type' | 'tap'; readonly optsIn: boolean; readonly ago: number }
  | { readonly kind: 'notice'; readonly value: 'stop' | 'resume' | 'signup'; readonly ago: number }
  | { readonly kind: 'import' | 'post'; readonly optedIn: boolean | null }
  | { readonly kind: 'patch'; readonly optedIn: boolean }
  | { readonly kind: 'delete' | 'erase' };

interface Word {
  readonly optedIn: boolean;
  readonly byAccount: boolean;
  readonly at: number;
}

/** The rule of consent in its own words, for one person in one account. */
class Person {
  contact: 'none' | 'live' | 'deleted' = 'none';
  /** The decision in force; null while nobody has decided. */
  private word: Word | null = null;
  private step = 0;

  get optedIn(): boolean {
    return this.word?.optedIn ?? true;
  }

  /** Steps are later than anything old. */
  timeOf(ago: number): number {
    this.step += 1;
    return ago === 0 ? 1_000_000_000 + this.step : -ago;
  }

  /** The person or the network on their behalf. */
  speaks(optedIn: boolean, at: number): void {
    const { word } = this;
    if (this.contact === 'none' && optedIn && word === null) return;
    const isLater = word === null || at >= word.at;
    const overrulesAccount = word?.byAccount === true && !optedIn;
    if (word !== null && word.optedIn === optedIn) {
      // An older opt-in says nothing new; an opt-out is from now on the person's own.
      if (optedIn && !isLater) return;
      this.word = { optedIn, byAccount: false, at: Math.max(at, word.at) };
    } else if (isLater || overrulesAccount) this.word = { optedIn, byAccount: false, at };
    if (this.contact === 'none' && this.optedIn) this.word = null;
  }

  /** @returns whether the account's decision is refused */
  accountDecides(optedIn: boolean, lifts: boolean): boolean {
    const { word } = this;
    const at = this.timeOf(0);
    if (word === null || word.optedIn !== optedIn) {
      if (optedIn && word !== null && !word.byAccount && !lifts) return true;
      this.word = { optedIn, byAccount: true, at };
    } else if (!optedIn) this.word = { ...word, at };
    return false;
  }

  erase(): void {
    this.contact = 'none';
    if (this.optedIn) this.word = null;
  }
}

const ago = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 3600, max: 80_000 }) },
);
const maybe = fc.constantFrom(true, false, null);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('type' as const, 'tap' as const), optsIn: fc.boolean(), ago }),
  fc.record({ kind: fc.constant('notice' as const), value: fc.constantFrom('stop', 'resume', 'signup'), ago }),
  fc.record({ kind: fc.constantFrom('import' as const, 'post' as const), optedIn: maybe }),
  fc.record({ kind: fc.constant('patch' as const), optedIn: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('delete' as const, 'erase' as const) }),
);

describe('random histories of consent', () => {
  let world: World;
  let accounts: TestAccount[];

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    accounts = [await world.account({ rateLimit: 1_000_000 }), await world.account({ rateLimit: 1_000_000 })];
  });
  afterAll(() => world.stop());

  const idOf = async ({ api }: TestAccount, phone: string): Promise<string> => {
    const { body } = await api.get<{ contacts: { id: string }[] }>(`/api/v1/contacts/?search=${phone}`);
    return body.contacts[0]?.id ?? '';
  };

  /**
   * @param begunAt when the history began, unix seconds. What is old counts from there, so that its order does not depend
   * on when a step runs.
   */
  async function run(account: TestAccount, phone: string, person: Person, each: Step, begunAt: number): Promise<void> {
    const { api } = account;
    const timeOf = (ago: number): number => (ago === 0 ? secondsAgo(0) : begunAt - ago);
    if (each.kind === 'type' || each.kind === 'tap') {
      const word = each.optsIn ? 'start!' : 'Stop.';
      const message = each.kind === 'type' ? { text: word } : { type: 'button', text: 'A button', payload: word };
      await openWindow(world, account.phone, phone, { ...message, timestamp: timeOf(each.ago) });
      const at = person.timeOf(each.ago);
      person.contact = 'live';
      return person.speaks(each.optsIn, at);
    }
    if (each.kind === 'notice') {
      await preference(world, account.phone, { wa_id: phone, value: each.value, timestamp: timeOf(each.ago) });
      return person.speaks(each.value !== 'stop', person.timeOf(each.ago));
    }
    if (each.kind === 'import') {
      const { body } = await upload(account, `phone_number,first_name,opted_in\n${phone},Ada,${each.optedIn ?? ''}\n`);
      person.contact = 'live';
      const isRefused = each.optedIn !== null && person.accountDecides(each.optedIn, false);
      return expect((body['warnings'] as unknown[] | undefined)?.length ?? 0).toBe(isRefused ? 1 : 0);
    }
    if (each.kind === 'post') {
      const consent = each.optedIn === null ? {} : { opted_in: each.optedIn };
      const { status } = await api.post('/api/v1/contacts/', { phone_number: phone, first_name: 'Ada', ...consent });
      expect(status).toBe(person.contact === 'live' ? 409 : 201);
      if (status === 409) return;
      person.contact = 'live';
      if (each.optedIn !== null) person.accountDecides(each.optedIn, true);
      return;
    }
    if (person.contact !== 'live') return;
    const id = await idOf(account, phone);
    if (each.kind === 'patch') {
      expect((await api.patch(`/api/v1/contacts/${id}`, { opted_in: each.optedIn })).status).toBe(200);
      person.accountDecides(each.optedIn, true);
    } else if (each.kind === 'erase') {
      await erase(account, id);
      person.erase();
    } else {
      await api.delete(`/api/v1/contacts/${id}`);
      person.contact = 'deleted';
    }
  }

  it('end as the rule says, step by step, in two accounts at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(0, 1), step), { minLength: 1, maxLength: 20 }),
        async (history) => {
          const phone = uniquePhone();
          const people = [new Person(), new Person()];
          const begunAt = secondsAgo(0);
          for (const [index, each] of history) {
            const [account, person] = [accounts[index], people[index]];
            if (account === undefined || person === undefined) throw new Error('two accounts');
            await run(account, phone, person, each, begunAt);
            expect(await standingOf(world, account, phone)).toMatchObject({ optedIn: person.optedIn });
            if (person.contact !== 'live') continue;
            const entries = await ledgerOf(account, await idOf(account, phone));
            if (!person.optedIn) expect(entries).toContainEqual(expect.objectContaining({ decision: 'out' }));
          }
        },
      ),
      { numRuns: Number(process.env['CONSENT_HISTORIES'] ?? 15), endOnFailure: true },
    );
  });
});
