import { until } from '../support/until.js';
import { Receiver } from '../webhooks/receiver.js';
import { activityOf, Books } from './books.js';
import { CampaignBooks } from './campaign-books.js';
import { DeliveryBooks, type WatchedEndpoint } from './delivery-books.js';
import type { FaultAccount, FaultCampaign } from './fault-stack.js';
import { type Stretch, say, sayFigures, statusesOf } from './figures.js';
import { KeyedRequests } from './keyed-requests.js';
import type { Outcome } from './load.js';
import type { HostFault } from './load-balancer.js';
import { pause } from './pause.js';
import { Traffic } from './traffic.js';
import { TwoHosts } from './two-hosts.js';
import { badAnswers, IS_QUICK, isRefusedForNow } from './verdict.js';

/** Messages per second, and recipients of a campaign that lasts as long as a restart. */
const THROUGHPUT = 100;
const RECIPIENTS = { rolling: 2500, dying: 800 };
const ACCEPTED_BEFORE = 50;
const REPORTS = 300;
const RATES = { sends: 0, reports: 5, inbound: 2, reads: 5, probes: 0 };
const RETRIES = 5;
const SECRET = 'the secret of the receiver';
/** How long a dead host stays away, and how long traffic goes on after its return, milliseconds. */
const AWAY_MS = 2000;
const AFTER_MS = 1000;
/** How long a campaign may take on a busy machine, milliseconds. */
const COMPLETED_WITHIN_MS = 240_000;
/** How long requests of before a kill may still run on the other host, milliseconds. */
const OLD_REQUESTS_MS = 4000;

/** Two tenants on two hosts, one with campaigns and one with all other traffic, whose events go to one receiver. */
export class RestartedHosts {
  private readonly campaigns: FaultCampaign[] = [];
  private readonly keyed: KeyedRequests;

  private constructor(
    private readonly hosts: TwoHosts,
    private readonly sender: FaultAccount,
    private readonly traffic: Traffic,
    private readonly receiver: Receiver,
    private readonly endpoints: readonly WatchedEndpoint[],
  ) {
    this.keyed = new KeyedRequests(hosts.balancer.baseUrl, traffic.account);
  }

  /** @param env where the queues are, for example */
  static async start(env: Readonly<Record<string, string>>): Promise<RestartedHosts> {
    const hosts = await TwoHosts.start(env);
    const { stack, balancer } = hosts;
    const [sender, account] = [
      await stack.account(balancer, { throughput: THROUGHPUT }),
      await stack.account(balancer),
    ];
    const receiver = await Receiver.listen();
    const endpoints = [await subscribed(sender, receiver), await subscribed(account, receiver)];
    const traffic = await Traffic.prepare(stack, balancer, account, { reports: REPORTS });
    const restarted = new RestartedHosts(hosts, sender, traffic, receiver, endpoints);
    traffic.start(RATES);
    restarted.keyed.start();
    return restarted;
  }

  /** Restarts one process after the other. No request may fail, not even on its way from the load balancer. */
  async roll(): Promise<string[]> {
    const campaign = await this.startCampaign(RECIPIENTS.rolling);
    const { faults } = this.hosts.balancer;
    const [known, from] = [faults.length, Date.now()];
    const found = await this.hosts.roll(this.traffic.account);
    const outcomes = this.outcomesSince(from);
    sayFigures('rolling restart', outcomes);
    const failed = await this.failedRecipients(campaign);
    return [
      ...found,
      ...(failed === 0 ? [] : [`${failed} recipients failed during the rolling restart`]),
      ...faults
        .slice(known)
        .filter(isFailure)
        .map((fault) => `during the rolling restart: ${describe(fault)}`),
      ...badAnswers(outcomes, { refusals: false }),
    ];
  }

  /** Kills a host. Only requests that it had may fail, and of those only the ones that nobody may repeat. */
  async loseHost(): Promise<string[]> {
    await this.startCampaign(RECIPIENTS.dying);
    const { balancer } = this.hosts;
    const known = balancer.faults.length;
    const dead = await this.hosts.loseHost(AWAY_MS);
    await pause(AFTER_MS);
    const faults = balancer.faults.slice(known).filter(isFailure);
    const outcomes = this.outcomesSince(dead.at);
    sayFigures('a host died', outcomes);
    say(`  ${faults.length} requests on the dead host, ${faults.filter(({ repeated }) => repeated).length} repeated`);
    const refused = (kind: string) => outcomes.find((each) => each.kind === kind)?.outcomes.filter(isRefused) ?? [];
    const callbacks = [...refused('report'), ...refused('inbound')];
    const unrepeated = faults.filter(({ repeated }) => !repeated);
    return [
      ...faults
        .filter(({ host, error }) => host !== dead.url && !error.startsWith(UNKNOWN_OUTCOME))
        .map((fault) => `on the host that lives: ${describe(fault)}`),
      ...outcomes
        .map(({ kind, outcomes: all }) => ({ kind, bad: all.filter((each) => !isExpected(kind, each)) }))
        .filter(({ bad }) => bad.length > 0)
        .map(({ kind, bad }) => `${kind}: ${statusesOf(bad)}, such as ${bad[0]?.text}`),
      ...(callbacks.length <= unrepeated.length
        ? []
        : [`${callbacks.length} callbacks failed, but the dead host had only ${unrepeated.length}`]),
    ];
  }

  /** Stops the traffic, waits for everything to settle and compares all records. */
  async findings(): Promise<string[]> {
    const { stack } = this.hosts;
    await this.endLeasesOfTheDead();
    await Promise.all([this.traffic.stop(), this.keyed.stop()]);
    await this.traffic.reportTheRest();
    const campaignBooks = new CampaignBooks(stack, this.sender, this.campaigns);
    const found = [
      ...(await campaignBooks.rest(async () => undefined)),
      ...(await campaignBooks.findings()),
      ...(await this.keyed.findings(stack)),
      ...(await new Books(stack).findings({
        ...activityOf(this.traffic),
        sends: [...this.traffic.sends, ...this.keyed.sendOutcomes],
        killed: true,
      })),
    ];
    for (const endpoint of this.endpoints) {
      const arrivals = this.receiver.received.filter(({ path }) => path === pathOf(endpoint.account));
      found.push(...(await new DeliveryBooks(stack, endpoint).findings(arrivals)));
    }
    return found;
  }

  async stop(): Promise<void> {
    try {
      await this.hosts.stop();
    } finally {
      await this.receiver.close();
    }
  }

  /** Starts a campaign and waits until it is on its way. */
  private async startCampaign(recipients: number): Promise<FaultCampaign> {
    const { stack } = this.hosts;
    const accepted = async () => (await stack.simulator.ledger(this.sender.phone.phoneNumberId)).length;
    const before = await accepted();
    const campaign = await stack.campaign(this.sender, recipients);
    this.campaigns.push(campaign);
    await until('the campaign is running', async () => (await accepted()) >= before + ACCEPTED_BEFORE);
    return campaign;
  }

  /** Waits until the campaign is completed. */
  private failedRecipients({ id }: FaultCampaign): Promise<number> {
    return until(
      'the campaign is completed',
      async () => {
        const { body } = await this.sender.api.get(`/api/v1/campaigns/${id}/stats`);
        return body['campaign_status'] === 'completed' && { failed: Number(body['failed_count']) };
      },
      COMPLETED_WITHIN_MS,
    ).then(({ failed }) => failed);
  }

  private outcomesSince(at: number): Stretch[] {
    const keyed = { 'keyed send': this.keyed.sends, contact: this.keyed.contacts };
    return [
      ...this.traffic.since(at),
      ...Object.entries(keyed).map(([kind, requests]) => ({
        kind,
        outcomes: requests.flatMap(({ attempts }) => attempts).filter((attempt) => attempt.at >= at),
      })),
    ];
  }

  /**
   * Idempotency keys of requests that died with their process are held for a minute. This ends that minute, so that
   * the clients' repeats are answered within the test.
   */
  private async endLeasesOfTheDead(): Promise<void> {
    await pause(OLD_REQUESTS_MS);
    await this.hosts.stack.query(
      `UPDATE idempotency_keys SET lease_until = now()
       WHERE account_id = $1 AND status_code IS NULL AND created_at < now() - $2 * interval '1 millisecond'`,
      [this.traffic.account.accountId, OLD_REQUESTS_MS],
    );
  }
}

/** The answer to a repeated send whose process died before it knew the outcome. */
const UNKNOWN_OUTCOME = 'answered 504';

const isRefused = ({ status }: Outcome): boolean => status === 502;

/** Whether it is more than what any host answers while its database is slow. */
const isFailure = ({ error }: HostFault): boolean =>
  !(IS_QUICK && error.startsWith('answered 503') && isRefusedForNow(error));

/** Whether a request may have this outcome while a host dies. */
function isExpected(kind: string, { status, retryAfter, text }: Outcome): boolean {
  if (IS_QUICK && status === 503 && isRefusedForNow(text)) return true;
  if (status === 200 || status === 201) return true;
  if (kind === 'report' || kind === 'inbound') return status === 502;
  const isHeld = status === 409 && retryAfter !== null;
  return isHeld ? kind === 'keyed send' || kind === 'contact' : kind === 'keyed send' && status === 504;
}

const describe = ({ host, request, error, repeated }: HostFault): string =>
  `${request} on ${host}: ${error}${repeated ? ', repeated' : ''}`;

const pathOf = ({ accountId }: FaultAccount): string => `/events-of/${accountId}`;

/** Sends all events of an account to the receiver. */
async function subscribed(account: FaultAccount, receiver: Receiver): Promise<WatchedEndpoint> {
  const { status, body, text } = await account.api.post<{ webhook: { id: string } }>('/api/v1/webhooks/', {
    url: receiver.url(pathOf(account)),
    secret: SECRET,
    retry_count: RETRIES,
  });
  if (status !== 201) throw new Error(`the webhook was refused: ${status} ${text}`);
  return { account, id: body.webhook.id, secret: SECRET, retries: RETRIES };
}
