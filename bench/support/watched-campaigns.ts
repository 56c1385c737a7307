import { AgentsService } from '../../src/agents/agents.service.js';
import { inFlight } from './load.js';
import { authorizationOf, type BenchAccount, post, type Stack } from './stack.js';
import { signIn, Watcher, type Watching } from './watcher.js';

const SECOND = 1000;
const CONCURRENT_SETUPS = 8;
const FIRST_CONTACT = 4_915_100_000_000;
/** Messages that the network accepted so shortly before streams close are not waited for, milliseconds. */
const MAX_LAG_MS = 5 * SECOND;

/** A campaign that sends, and when a page showed how far it was. */
interface WatchedCampaign {
  readonly account: BenchAccount;
  readonly id: string;
  /** The cookie of the owner. */
  readonly cookie: string;
  readonly shown: { readonly at: number; readonly sent: number }[];
}

/** A time, in milliseconds since the epoch, in which streams were open. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

interface LedgerPage {
  readonly data: readonly { readonly phone_number_id: string; readonly at: string }[];
}

/** Accounts whose campaigns all send slowly at the same time, and the streams of people who watch them. */
export class WatchedCampaigns {
  private readonly watched: Interval[] = [];
  private open: Watcher[] = [];

  private constructor(
    private readonly stack: Stack,
    private readonly campaigns: readonly WatchedCampaign[],
    private readonly crowd: readonly Watching[],
  ) {}

  /**
   * @param seconds how long each campaign sends, one message a second
   * @param crowded how many of the accounts have a crowd
   * @param crowd people of such an account beside its owner who watch it
   */
  static async start(
    stack: Stack,
    accounts: number,
    seconds: number,
    { crowded, crowd }: { readonly crowded: number; readonly crowd: number },
  ): Promise<WatchedCampaigns> {
    const campaigns: WatchedCampaign[] = [];
    await inFlight({ connections: CONCURRENT_SETUPS, requests: accounts }, async (index) => {
      const account = await stack.account(1);
      await stack.template(account, 'bench');
      const first = FIRST_CONTACT + index * seconds;
      const contacts = Array.from({ length: seconds }, (_, place) => ({ phone: String(first + place) }));
      const body = { name: 'Bench', template_name: 'bench', contacts };
      const created = await post(`${stack.baseUrl}/api/v1/campaigns/`, body, authorizationOf(account));
      const { campaign_id: id } = created as { campaign_id: string };
      campaigns.push({ account, id, cookie: await signIn(stack, account.ownerId), shown: [] });
      return true;
    });
    const people: Watching[] = [];
    for (const campaign of campaigns.slice(0, crowded)) {
      for (let index = 0; index < crowd; index += 1) people.push(await member(stack, campaign, index));
    }
    for (const { account, id } of campaigns) {
      await post(`${stack.baseUrl}/api/v1/campaigns/${id}/send`, {}, authorizationOf(account));
    }
    return new WatchedCampaigns(stack, campaigns, people);
  }

  /** Opens the stream of each owner, and those of the crowds. */
  async watch(withCrowds: boolean): Promise<void> {
    const owners = this.campaigns.map((campaign): Watching => {
      const onEvent = (event: string, data: string): void => {
        if (event !== 'campaign') return;
        const { sent_count: sent } = JSON.parse(data) as { sent_count: number };
        campaign.shown.push({ at: Date.now(), sent });
      };
      return { ...watching(campaign, campaign.cookie), onEvent };
    });
    const all = withCrowds ? [...owners, ...this.crowd] : owners;
    await inFlight({ connections: CONCURRENT_SETUPS, requests: all.length }, async (index) => {
      const each = all[index];
      if (each !== undefined) this.open.push(await Watcher.open(this.stack, each));
      return each !== undefined;
    });
    this.watched.push({ from: Date.now(), to: Number.POSITIVE_INFINITY });
  }

  async unwatch(): Promise<void> {
    const last = this.watched.pop();
    if (last !== undefined) this.watched.push({ ...last, to: Date.now() });
    await Promise.all(this.open.splice(0).map((watcher) => watcher.close()));
  }

  /**
   * Milliseconds from the moment at which the network accepted a message until a page showed it, for each message that was
   * accepted while pages were open.
   */
  async lags(): Promise<number[]> {
    const ledger = (await (await fetch(`${this.stack.simulatorUrl}/_sim/ledger?limit=100000`)).json()) as LedgerPage;
    const accepted = new Map<string, number[]>();
    for (const { phone_number_id: phone, at } of ledger.data) {
      const times = accepted.get(phone) ?? [];
      times.push(Date.parse(at));
      accepted.set(phone, times);
    }
    return this.campaigns.flatMap(({ account, shown }) => {
      const times = accepted.get(account.phoneNumberId) ?? [];
      return times.flatMap((at, index) => {
        const wasWatched = this.watched.some(({ from, to }) => at >= from && at <= to - MAX_LAG_MS);
        const seen = wasWatched ? shown.find((each) => each.at >= at && each.sent > index) : undefined;
        return wasWatched ? [seen === undefined ? Number.POSITIVE_INFINITY : seen.at - at] : [];
      });
    });
  }

  /** @throws Error when a campaign ended before its measurement did */
  async requireRunning(): Promise<void> {
    for (const { account, id } of this.campaigns) {
      const headers = authorizationOf(account);
      const answer = await fetch(`${this.stack.baseUrl}/api/v1/campaigns/${id}/stats`, { headers });
      const { campaign_status: status } = (await answer.json()) as { campaign_status: string };
      if (status !== 'running') throw new Error(`a campaign was ${status} before the measurement ended`);
    }
  }
}

const watching = ({ account, id }: WatchedCampaign, cookie: string): Watching => ({
  accountId: account.accountId,
  cookie,
  topics: ['badges', 'campaigns', `campaign:${id}`],
});

async function member(stack: Stack, campaign: WatchedCampaign, index: number): Promise<Watching> {
  const userId = await new AgentsService(stack.unitOfWork).add({
    organisationId: String(campaign.account.organisationId),
    fullName: `Watcher ${index}`,
    email: `watcher-${index}@bench.example`,
    role: 'manager',
  });
  return watching(campaign, await signIn(stack, userId));
}
