import { setTimeout as sleep } from 'node:timers/promises';
import { Parley } from '../../clients/typescript/src/index.js';
import { JsonApi } from '../../src/cli/json-api.js';
import { linkAt } from '../../src/sessions/sign-in-links.service.js';
import type { SandboxFile } from '../sandbox-file.js';
import { type Beside, besideSandbox, INTERRUPTED } from './beside-sandbox.js';
import { untilApproved } from './campaign-run.js';
import { type Line, STORIES, type Story } from './customer-stories.js';

const TEMPLATE = 'demo_answer_ready';
/** Customers who write at once; the others come one after the other. */
const AT_ONCE = 7;
const ARRIVES_EVERY_MS = 12_000;
/** Between two looks at what was answered: an API key may ask 100 times a minute. */
const LOOK_EVERY_MS = 2000;
/** How long a customer takes to answer, milliseconds. */
const ANSWERS_AFTER_MS = 4000;
const MS_PER_HOUR = 3_600_000;

/** A customer in this run, with how much of the story has been told. */
interface Customer extends Story {
  readonly phone: string;
  told: number;
  /** The newest of our messages to which they have answered, or that they had before. */
  answered: string | null;
}

/** Customers write to a running sandbox, and answer when they are answered, until Ctrl-C; returns the exit code. */
export const runInbox = ({ dataDir }: { readonly dataDir: string }): Promise<number> =>
  besideSandbox(dataDir, (beside) => new Inbox(beside).run());

class Inbox {
  private readonly parley: Parley;
  private readonly simulator: JsonApi;
  /** By phone number. */
  private readonly customers = new Map<string, Customer>();

  constructor(private readonly beside: Beside) {
    const { base_url: baseUrl, api_key: apiKey, simulator_url } = beside.sandbox;
    this.parley = new Parley({ baseUrl, apiKey });
    const absent = 'The simulated network of the sandbox has stopped.';
    this.simulator = new JsonApi({ baseUrl: String(simulator_url), apiKey: 'simulated', absent });
  }

  async run(): Promise<number> {
    const { signal } = this.beside;
    await ensureAnswerTemplate(this.parley);
    await this.announce();
    const waiting = STORIES.map((story, index) => this.customerOf(story, index));
    for (const customer of waiting.splice(0, AT_ONCE)) await this.arrive(customer);
    let arrivesAt = performance.now() + ARRIVES_EVERY_MS;
    while (!signal.aborted) {
      if (performance.now() >= arrivesAt) {
        const next = waiting.shift();
        if (next !== undefined) await this.arrive(next);
        arrivesAt = performance.now() + ARRIVES_EVERY_MS;
      }
      await this.answer();
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
    return INTERRUPTED;
  }

  private customerOf(story: Story, index: number): Customer {
    return { ...story, phone: phoneOf(index), told: 0, answered: null };
  }

  private async announce(): Promise<void> {
    const { base_url, console_link, account_id, user_id } = this.beside.sandbox;
    console.log(`\n${STORIES.length} made-up customers of a nursery write, and answer when you do.`);
    if (console_link === null) {
      console.log('The console is off: start the sandbox without CONSOLE=off to answer there.');
    } else {
      const { token } = await this.beside.operator.signInLinks.issue(user_id, { asksPassword: false });
      console.log(`  Sign in   ${linkAt(base_url, token, `${account_id}/inbox?view=all`)}`);
      console.log('            works once, within 10 minutes; a restart prints another one');
    }
    console.log('  Ctrl-C ends it.\n');
  }

  private async arrive(customer: Customer): Promise<void> {
    this.customers.set(customer.phone, customer);
    const began = Date.now() - (customer.hoursAgo ?? 0) * MS_PER_HOUR;
    for (const [index, line] of customer.opens.entries()) await this.write(customer, line, began + index * 1000);
    customer.answered = (await this.newestAnswers()).get(customer.phone) ?? null;
  }

  /** Lets everybody go on with their story who was answered a moment ago. */
  private async answer(): Promise<void> {
    const answers = await this.newestAnswers();
    const before = Date.now() - ANSWERS_AFTER_MS;
    for (const customer of this.customers.values()) {
      const answer = answers.get(customer.phone);
      const line = customer.answers[customer.told];
      if (answer === undefined || answer === customer.answered || new Date(answer).getTime() > before) continue;
      customer.answered = answer;
      customer.told += 1;
      if (line !== undefined) await this.write(customer, line, Date.now());
    }
  }

  /** When each customer last got a message, as the API says it. */
  private async newestAnswers(): Promise<ReadonlyMap<string, string>> {
    const { messages } = await this.parley.messages.list({ direction: 'out', limit: 100 });
    const oldestFirst = messages.toReversed();
    return new Map(oldestFirst.map(({ contact_phone, created_at }) => [String(contact_phone), String(created_at)]));
  }

  private async write(customer: Customer, line: Line, at: number): Promise<void> {
    await writeAs(this.simulator, this.beside.sandbox, customer, line, at);
    console.log(`${customer.name}: ${typeof line === 'string' ? line : `(${String(line['type'])})`}`);
  }
}

/** Lets a customer write to the first business phone. @param at when, milliseconds since 1970 */
export async function writeAs(
  simulator: JsonApi,
  { business_phones: [first] }: Pick<SandboxFile, 'business_phones'>,
  { name, phone }: { readonly name: string; readonly phone: string },
  line: Line,
  at: number,
): Promise<void> {
  const said = typeof line === 'string' ? { type: 'text', text: line } : line;
  await simulator.post('/_sim/inbound', {
    phone_number_id: first?.phone_number_id,
    from: phone,
    name,
    timestamp: Math.floor(at / 1000),
    ...said,
  });
}

/** The same person has the same number each time, so that a second run goes on with their threads. */
export const phoneOf = (index: number): string => `49157000070${String(index + 10)}`;

/** Creates a template for conversations whose window is closed, unless there is one, and waits until it is approved. */
export async function ensureAnswerTemplate(parley: Parley): Promise<void> {
  const { templates } = await parley.templates.list({ search: TEMPLATE });
  if (!templates.some(({ name }) => name === TEMPLATE)) {
    await parley.templates.create({
      name: TEMPLATE,
      category: 'UTILITY',
      language: 'en_US',
      body: {
        text: 'Hello {{1}}, you asked us about {{2}}. We have an answer: shall we send it here?',
        examples: { 1: 'Ada', 2: 'apple trees' },
      },
      buttons: [{ type: 'QUICK_REPLY', text: 'Yes, please' }],
    });
  }
  await untilApproved(parley, TEMPLATE);
}
