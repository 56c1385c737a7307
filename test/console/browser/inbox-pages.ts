import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { ConversationRecord } from '../../../src/conversations/dto/conversation.dto.js';
import { ensureContacts } from '../../../src/people/ensured-contacts.queries.js';
import { conversationOf, timelineOf } from '../../conversations/threads.js';
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

/** A message as the network was asked to send it. */
export interface Sent {
  /** Missing for people without a number. */
  readonly to?: string;
  readonly recipient?: string;
  readonly type?: string;
  readonly text?: { readonly body: string };
  readonly template?: { readonly name: string };
  readonly context?: { readonly message_id: string };
  readonly image?: { readonly caption?: string };
  readonly document?: { readonly filename?: string };
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

  /** A customer who has written. */
  async writer(name: string, text = 'Is it in stock?'): Promise<Customer> {
    const customer = this.customer(name);
    await this.writes(customer, text);
    return customer;
  }

  /** A conversation in which the last message is older than the window. */
  async closed(name: string, text = 'When will the apple trees be back?'): Promise<Customer> {
    const customer = await this.writer(name, text);
    await this.closes(customer);
    return customer;
  }

  /** Lets the window of a customer pass. */
  async closes({ phone }: Customer): Promise<void> {
    const { accountId } = this.account;
    const [contact] = await this.world.unitOfWork.transaction((tx) =>
      ensureContacts(accountId, [{ phoneNumber: phone, name: null }], 'inbound', tx),
    );
    await this.world.unitOfWork.autocommit.affected(
      `UPDATE conversations SET last_inbound_at = last_inbound_at - interval '25 hours'
       WHERE account_id = $1 AND contact_id = $2`,
      [accountId, contact?.id],
    );
  }

  /**
   * What the network was asked to send somebody from the first phone, the oldest first.
   *
   * @param contact a customer, or the network’s user id
   */
  async sentTo(contact: Customer | string): Promise<Sent[]> {
    const requests = await this.world.simulator.requests(this.account.phone.phoneNumberId);
    const bodies = requests.flatMap(({ path, body }): Sent[] =>
      path.endsWith('/messages') ? [typeof body === 'string' ? JSON.parse(body) : body] : [],
    );
    const isTheirs = ({ to, recipient }: Sent): boolean =>
      typeof contact === 'string' ? recipient === contact : to === `+${contact.phone}`;
    return bodies.filter((sent) => isTheirs(sent) && sent.type !== undefined).reverse();
  }

  /** As {@link sentTo}, once there are so many. */
  untilSent(contact: Customer | string, count = 1): Promise<Sent[]> {
    const name = typeof contact === 'string' ? contact : contact.name;
    return until(`${count} sent to ${name}`, async () => {
      const sent = await this.sentTo(contact);
      return sent.length >= count && sent;
    });
  }

  /** The record of a conversation. */
  stateOf({ phone }: Customer): Promise<ConversationRecord> {
    return conversationOf(this.account, phone);
  }

  untilHeldBy(customer: Customer, { userId }: Member): Promise<unknown> {
    return until(`${customer.name} is theirs`, async () => (await this.stateOf(customer)).assigned_to === userId);
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

export const list = (page: Page): Locator => page.getByRole('region', { name: 'The list of conversations' });
export const composer = (page: Page): Locator => page.getByRole('region', { name: 'Answer' });
export const field = (page: Page): Locator => page.getByRole('textbox', { name: /^Message to / });
/** The buttons that open the menus of messages. */
export const actions = (page: Page): Locator => page.getByRole('button', { name: /^Actions for this message: / });
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
/** A template of the list. */
export const option = (page: Page, name: string): Locator => page.getByRole('option', { name: new RegExp(name) });
export const dialog = (page: Page): Locator => page.getByRole('dialog');
/** What was written from here and the service has not answered to. */
export const waiting = (page: Page): Locator => page.getByRole('log').locator('.msg.waiting');
/** What the service has of what was written from here. */
export const outgoing = (page: Page): Locator => page.getByRole('log').locator('.msg.out:not(.waiting)');

/** Waits until a page shows who has its conversation. */
export const has = (page: Page, name: string): Promise<void> => button(page, `Assigned to: ${name}. Change`).waitFor();
export const untilText = (page: Page, text: string): Promise<unknown> =>
  until(`the field has “${text}”`, async () => (await field(page).inputValue()) === text);

/** Holds the requests to an address back until the returned function is called. */
export async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  let letGo = (): void => undefined;
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(address, async (route) => {
    await isLetGo;
    // Whatever else is said about the address, or the service.
    await route.fallback();
  });
  return letGo;
}

/** The addresses that a page posts to from now on, by their end. */
export function posted(page: Page, end: string): string[] {
  const addresses: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(end)) addresses.push(request.url());
  });
  return addresses;
}
