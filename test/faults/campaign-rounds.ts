import { TcpProxy } from '../support/tcp-proxy.js';
import { uniquePhone } from '../support/test-account.js';
import { until } from '../support/until.js';
import { CampaignBooks } from './campaign-books.js';
import { type CampaignPlan, PEOPLE, type PlannedAction, type PlannedFault } from './campaign-plan.js';
import { type FaultAccount, type FaultCampaign, type FaultService, FaultStack } from './fault-stack.js';
import { say } from './figures.js';
import { pause } from './pause.js';

/** Short, so that a round settles soon after its faults. */
const TIMING = { NETWORK_TIMEOUT_MS: '1500', LEASE_SECONDS: '3', UNKNOWN_OUTCOME_HORIZON: '6' };
const WORKERS = 2;
const CUT_EVERY_MS = 300;
/** An answer to a caller, however busy the machine is; milliseconds. */
const ANSWERED_WITHIN_MS = 60_000;
/** What the network does between rounds. */
const CALM = { error: null, reset_after_accept_rate: 0, latency_ms: 20 };
/** The refusal of our token, which stops a campaign. */
const TOKEN_REFUSED = 190;

/** A stack that outlives its rounds: one api, two workers, the network behind a proxy and PostgreSQL behind another. */
export class CampaignRounds {
  private constructor(
    private readonly stack: FaultStack,
    private readonly network: TcpProxy,
    private readonly api: FaultService,
    private readonly workers: FaultService[],
  ) {}

  static async start(): Promise<CampaignRounds> {
    const stack = await FaultStack.start(TIMING);
    const network = await TcpProxy.start(stack.simulator.url);
    const api = await stack.mainService({ PARLEY_ROLES: 'api' });
    const rounds = new CampaignRounds(stack, network, api, []);
    for (let place = 0; place < WORKERS; place += 1) await rounds.startWorker(place);
    await stack.simulator.behave({ status_delay_ms: 20, callback_batch: 20, duplicate_rate: 0.1, reorder_rate: 0.1 });
    return rounds;
  }

  async stop(): Promise<void> {
    for (const { process } of this.workers) process.signal('SIGCONT');
    await this.stack.stop();
    await this.network.stop();
  }

  /**
   * Runs a round with an account of its own.
   *
   * @returns what went wrong
   */
  async run(plan: CampaignPlan): Promise<string[]> {
    await this.stack.proxy.heal();
    await this.stack.simulator.behave(CALM);
    const account = await this.account(plan);
    const people = Array.from({ length: PEOPLE }, uniquePhone);
    const campaigns: FaultCampaign[] = [];
    for (const { phone, from, recipients, start, at } of plan.campaigns) {
      const phones = people.slice(from, from + recipients);
      const scheduled = start === 'scheduled' ? { scheduled_at: new Date(Date.now() + 1000 + at).toISOString() } : {};
      const { status, body, text } = await account.api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
        name: 'Parcels',
        template_name: account.template,
        waba_phone_id: account.phones[phone]?.id,
        contacts: phones.map((number) => ({ phone: number })),
        ...scheduled,
      });
      if (status !== 200) throw new Error(`the campaign was not created: ${status} ${text}`);
      campaigns.push({ id: body.campaign_id, account, phones });
    }
    await this.stack.simulator.behave({ ...plan.behaviour, seed: plan.seed });
    await ended([
      ...plan.campaigns.map(({ start, at }, place) =>
        start === 'sent' ? this.act(campaigns, { at, campaign: place, action: 'send' }) : undefined,
      ),
      ...plan.actions.map((action) => this.act(campaigns, action)),
      ...plan.faults.map((fault) => this.strike(fault)),
    ]);
    await this.stack.simulator.behave(CALM);

    const books = new CampaignBooks(this.stack, account, campaigns);
    const mayStop = plan.behaviour.error?.code === TOKEN_REFUSED;
    const found = await this.settle(books, campaigns, mayStop);
    if (plan.retry !== null && found.length === 0) {
      await ended([
        ...campaigns.map((_, campaign) => this.act(campaigns, { at: 0, campaign, action: 'retry-failed' })),
        ...plan.retry.map((fault) => this.strike(fault)),
      ]);
      found.push(...(await this.settle(books, campaigns, mayStop)));
    }
    found.push(...(await books.findings()));
    if (found.length > 0) for (const { process } of this.workers) say(process.lastWords);
    return found;
  }

  /** Starts it until it runs: a process that finds the database cut ends at once, and is started again wherever it runs. */
  private async startWorker(place: number): Promise<void> {
    const env = { PARLEY_ROLES: 'worker', NETWORK_BASE_URL: this.network.through(this.stack.simulator.url) };
    this.workers[place] = await until('a worker runs', () => this.stack.service(env).catch(() => null));
  }

  private async account({ throughputs }: CampaignPlan): Promise<FaultAccount> {
    const account = await this.stack.account(this.api, { phones: throughputs.length });
    for (const [place, throughput] of throughputs.entries()) {
      await this.stack.query('UPDATE business_phones SET throughput = $3 WHERE account_id = $1 AND id = $2', [
        account.accountId,
        account.phones[place]?.id,
        throughput,
      ]);
    }
    return account;
  }

  /** Asks until there is an answer: that the campaign is in no state for it is one. */
  private async act(
    campaigns: readonly FaultCampaign[],
    { at, campaign, action }: Omit<PlannedAction, 'action'> & { readonly action: PlannedAction['action'] | 'send' },
  ): Promise<void> {
    await pause(at);
    const { id, account } = campaigns[campaign] as FaultCampaign;
    await until(
      `${action} is answered`,
      async () => {
        const { status, text } = await account.api.post(`/api/v1/campaigns/${id}/${action}`);
        if (![200, 202, 400, 503].includes(status)) throw new Error(`${action} was answered ${status} ${text}`);
        return status !== 503;
      },
      ANSWERED_WITHIN_MS,
    );
  }

  /** Resolves once the fault is over; what it has done to connections stays. */
  private async strike(fault: PlannedFault): Promise<void> {
    await pause(fault.at);
    const { proxy } = this.stack;
    switch (fault.what) {
      case 'end':
        for (const place of fault.workers) this.workers[place]?.process.signal(fault.signal);
        await pause(fault.away);
        await Promise.all(fault.workers.map((place) => this.startWorker(place)));
        return;
      case 'stop': {
        const worker = this.workers[fault.worker];
        worker?.process.signal('SIGSTOP');
        await pause(fault.lasts);
        worker?.process.signal('SIGCONT');
        return;
      }
      case 'database silent':
        proxy.silence({ newConnections: 'hang', server: fault.server });
        await pause(fault.lasts);
        return proxy.heal();
      case 'database cut':
        return cutForAWhile(proxy, fault.how, fault.lasts);
      case 'database slow':
        proxy.delay(fault.delay);
        await pause(fault.lasts);
        return proxy.heal();
      case 'network reset':
        return cutForAWhile(this.network, 'reset', fault.lasts);
      case 'network silent':
        return this.network.silence({ newConnections: 'work', lost: fault.lost, server: 'open' });
    }
  }

  /** Ends what the plan left paused or stopped, and waits until nothing is open. */
  private async settle(books: CampaignBooks, campaigns: FaultCampaign[], mayStop: boolean): Promise<string[]> {
    const found: string[] = [];
    const open = await books.rest(async (states) => {
      for (const { id, status, paused, reason } of states) {
        if (status === 'failed' && !mayStop) found.push(`a campaign has stopped: ${reason}`);
        const campaign = campaigns.findIndex((known) => known.id === id);
        if (status === 'draft') await this.act(campaigns, { at: 0, campaign, action: 'send' });
        if (paused || status === 'failed') await this.act(campaigns, { at: 0, campaign, action: 'resume' });
      }
    });
    return [...found, ...open];
  }
}

/** As `Promise.all`, but nothing is under way any more when it rejects: the next round begins with a stack at rest. */
async function ended(doings: readonly (Promise<void> | undefined)[]): Promise<void> {
  await Promise.allSettled(doings);
  await Promise.all(doings);
}

/** Every connection is cut again and again, and new ones work. */
async function cutForAWhile(proxy: TcpProxy, how: 'reset' | 'end', ms: number): Promise<void> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    proxy.cut(how);
    await pause(CUT_EVERY_MS);
  }
}
