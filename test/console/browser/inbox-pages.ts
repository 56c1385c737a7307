import type { BrowserContextOptions, Page } from 'playwright-core';
import { ensureContacts } from '../../../src/people/ensured-contacts.queries.js';
import { timelineOf } from '../../conversations/threads.js';
import { type Member, member, signedIn } from '../../sessions/browser.js';
import type { AccountOptions } from '../../support/test-account.js';
import { until } from '../../support/until.js';
import { type TestAccount, uniquePhone, type World } from '../../support/world.js';
import type { ConsoleBrowser, Visit } from './console-browser.js';

/** With another name the cookie needs no TLS. */
export const INBOX_ENV = { SESSION_COOKIE: 'parley_test' };

/** A customer with a phone. */
export interface Customer {
  readonly name: string;
  /** Digits. */
  readonly phone: string;
}

interface VisitOptions extends BrowserContextOptions {
  /** Who has signed in; somebody new without one. */
  readonly who?: Member;
  readonly role?: 'owner' | 'admin' | 'manager' | 'agent';
}

/** An account whose customers write, and the pages of its inbox. */
export class InboxPages {
  private constructor(
    readonly world: World,
    private readonly browser: ConsoleBrowser,
    readonly account: TestAccount,
  ) {}

  static async start(world: World, browser: ConsoleBrowser, options: AccountOptions = {}): Promise<InboxPages> {
    return new InboxPages(world, browser, await world.account({ credits: 1000, ...options }));
  }

  customer(name: string): Customer {
    return { name, phone: uniquePhone() };
  }

  /** The customer writes texts, one after the other; further fields as the simulator takes them. */
  async writes(
    { name, phone }: Customer,
    ...messages: readonly (string | Record<string, unknown>)[]
  ): Promise<string[]> {
    const ids: string[] = [];
    for (const message of messages) {
      const said = typeof message === 'string' ? { type: 'text', text: message } : message;
      const { id, callback_status } = await this.world.simulator.inbound({
        phone_number_id: this.account.phone.phoneNumberId,
        from: phone,
        name,
        ...said,
      });
      if (callback_status !== 200) throw new Error(`the callback was answered ${callback_status}`);
      ids.push(id);
    }
    await until(`${name} has been heard`, async () => {
      const { status } = await this.account.api.get(`/api/v1/conversations/${phone}`);
      return status === 200 && (await timelineOf(this.account, phone)).entries.length >= messages.length;
    });
    return ids;
  }

  /** A conversation in which the last message is older than the window. */
  async closed(name: string, text = 'When will the apple trees be back?'): Promise<Customer> {
    const customer = this.customer(name);
    await this.writes(customer, text);
    const { accountId } = this.account;
    const [contact] = await this.world.unitOfWork.transaction((tx) =>
      ensureContacts(accountId, [{ phoneNumber: customer.phone, name: null }], 'inbound', tx),
    );
    await this.world.unitOfWork.autocommit.affected(
      `UPDATE conversations SET last_inbound_at = last_inbound_at - interval '25 hours'
       WHERE account_id = $1 AND contact_id = $2`,
      [accountId, contact?.id],
    );
    return customer;
  }

  pathTo(customer: Customer | null = null, query = ''): string {
    const thread = customer === null ? '' : `/${customer.phone}/${this.account.phone.id}`;
    return `/console/${this.account.accountId}/inbox${thread}${query}`;
  }

  /** Somebody who may sign in. */
  member(role: VisitOptions['role'] = 'agent'): Promise<Member> {
    return member(this.world, this.account, role);
  }

  /** Somebody who may sign in, with a name that tells them apart. */
  async named(fullName: string, role: NonNullable<VisitOptions['role']> = 'agent'): Promise<Member> {
    const person = await this.member(role);
    await this.world.unitOfWork.autocommit.affected('UPDATE users SET full_name = $2 WHERE id = $1', [
      person.userId,
      fullName,
    ]);
    return person;
  }

  /** Gives a conversation to somebody, as if a program did. */
  async assigns({ phone }: Customer, { userId }: Member): Promise<void> {
    const { status } = await this.account.api.post(`/api/v1/conversations/${phone}/assign`, { user_id: userId });
    if (status !== 200) throw new Error(`assign was answered ${status}`);
  }

  /** Opens a path as somebody who has just signed in. */
  async inside(path: string = this.pathTo(), { who, role = 'agent', ...options }: VisitOptions = {}): Promise<Visit> {
    const person = who ?? (await this.member(role));
    const { cookie } = await signedIn(this.world, this.account.accountId, person);
    const [name = '', value = ''] = (cookie ?? '').split('=');
    const session = {
      name,
      value,
      domain: new URL(this.world.baseUrl).hostname,
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Strict' as const,
    };
    return this.browser.visit(path, { ...options, storageState: { cookies: [session], origins: [] } });
  }
}

/** Waits until a page shows a text in its thread. */
export const inThread = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('log').getByText(text).first().waitFor();
