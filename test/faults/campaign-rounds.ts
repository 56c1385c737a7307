import { TcpProxy } from '../support/tcp-proxy.js';
import { uniquePhone } from '../support/test-account.js';
import { Hopeless, until } from '../support/until.js';
import { CampaignBooks } from './campaign-books.js';
import { type CampaignPlan, PEOPLE, type PlannedAction, type PlannedFault } from './campaign-plan.js';
import { type FaultAccount, type FaultCampaign, type FaultService, FaultStack } from './fault-stack.js';
import { say } from './figures.js';
import { cutRepeatedly } from './path-faults.js';
import { pause } from './pause.js';

/** Short timeouts, so that a round settles soon after its faults. */
const TIMING = { NETWORK_TIMEOUT_MS: '1500', LEASE_SECONDS: '3', UNKNOWN_OUTCOME_HORIZON: '6' };
const WORKERS = 2;
const CUT_EVERY_MS = 300;
/** The network's behaviour between rounds. */
const CALM = { error: null, late_error: null, reset_after_accept_rate: 0, latency_ms: 20 };
/** Codes that stop a campaign: a refused token, and an unpaid account. */
const STOPS: ReadonlySet<number | undefined> = new Set([190, 131042]);

/** Runs rounds on one stack: an API process, two workers, and proxies in front of the network and PostgreSQL. */
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
    await this.stack.stop();
    await this.network.stop();
  }

  /**
   * Runs a round with its own account.
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
      // On a busy machine the time may be past when it arrives: then the campaign is refused, and comes with a later one.
      const id = await until('the campaign is created', async () => {
        const scheduled = start === 'scheduled' ? { scheduled_at: new Date(Date.now() + 1000 + at).toISOString() } : {};
        const { status, body, text } = await account.api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
          name: 'Parcels',
          template_name: account.template,
          waba_phone_id: account.phones[phone]?.id,
          contacts: phones.map((number) => ({ phone: number })),
          ...scheduled,
        });
        if (status !== 200) throw new Error(`it was answered ${status} ${text}`);
        return body.campaign_id;
      });
      campaigns.push({ id, account, phones });
    }
    await this.stack.simulator.behave({ ...plan.behaviour, seed: plan.seed });
    await allSettled([
      ...plan.campaigns.map(({ start, at }, place) =>
        start === 'sent' ? this.act(campaigns, { at, campaign: place, action: 'send' }) : undefined,
      ),
      ...plan.actions.map((action) => this.act(campaigns, action)),
      ...plan.faults.map((fault) => this.inject(fault)),
    ]);
    await this.stack.simulator.behave(CALM);

    const books = new CampaignBooks(this.stack, account, campaigns);
    const mayStop = [plan.behaviour.error, plan.behaviour.late_error].some((error) => STOPS.has(error?.code));
    const found = await this.settle(books, campaigns, mayStop);
    if (plan.retry !== null && found.length === 0) {
      await allSettled([
        ...campaigns.map((_, campaign) => this.act(campaigns, { at: 0, campaign, action: 'retry-failed' })),
        ...plan.retry.map((fault) => this.inject(fault)),
      ]);
      found.push(...(await this.settle(books, campaigns, mayStop)));
    }
    found.push(...(await books.findings()));
    if (found.length > 0) for (const { process } of this.workers) say(process.lastWords);
    return found;
  }

  /** Starts a worker, again and again: a process exits when it cannot reach the database. */
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

  /** Requests an action until it is answered; a refusal because of the campaign's state is an answer. */
  private async act(
    campaigns: readonly FaultCampaign[],
    { at, campaign, action }: Omit<PlannedAction, 'action'> & { readonly action: PlannedAction['action'] | 'send' },
  ): Promise<void> {
    await pause(at);
    const { id, account } = campaigns[campaign] as FaultCampaign;
    await until(`${action} is answered`, async () => {
      const { status, text } = await account.api.post(`/api/v1/campaigns/${id}/${action}`);
      if (![200, 202, 400, 503].includes(status)) throw new Hopeless(`${action} was answered ${status} ${text}`);
      return status !== 503;
    });
  }

  /** Resolves once the fault is over; broken connections stay broken. */
  private async inject(fault: PlannedFault): Promise<void> {
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
        return cutRepeatedly(proxy, fault.how, fault.lasts, CUT_EVERY_MS);
      case 'database slow':
        proxy.delay(fault.delay);
        await pause(fault.lasts);
        return proxy.heal();
      case 'network reset':
        return cutRepeatedly(this.network, 'reset', fault.lasts, CUT_EVERY_MS);
      case 'network silent':
        return this.network.silence({ newConnections: 'work', lost: fault.lost, server: 'open' });
    }
  }

  /** Retries are minutes apart, and a phone may wait for a minute between two tries: too long for a round. */
  private async hurry(campaigns: readonly FaultCampaign[]): Promise<void> {
    const accountIds = [...new Set(campaigns.map(({ account }) => account.accountId))];
    await this.stack.query(
      `UPDATE campaign_recipients SET due_at = now()
       WHERE account_id = ANY ($1::uuid[]) AND state = 'pending' AND due_at > now() + interval '2 seconds'`,
      [accountIds],
    );
    await this.stack.query(
      `UPDATE phone_waits SET probe_at = now()
       WHERE account_id = ANY ($1::uuid[]) AND probe_at > now() + interval '8 seconds'`,
      [accountIds],
    );
  }

  /** Sends or resumes what the plan left as a draft, paused or stopped, and waits until nothing is open. */
  private async settle(books: CampaignBooks, campaigns: FaultCampaign[], mayStop: boolean): Promise<string[]> {
    const found: string[] = [];
    const open = await books.rest(async (states) => {
      await this.hurry(campaigns);
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

/** Like `Promise.all`, but rejects only once all have settled, so that the next round starts with an idle stack. */
async function allSettled(steps: readonly (Promise<void> | undefined)[]): Promise<void> {
  await Promise.allSettled(steps);
  await Promise.all(steps);
}
