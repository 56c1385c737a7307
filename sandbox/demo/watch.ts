import { setTimeout as sleep } from 'node:timers/promises';
import { Parley, ParleyError } from '../../clients/typescript/src/index.js';
import { CampaignFunnel } from '../../src/cli/campaign-funnel.js';
import { type CampaignState, readCampaign, watchCampaign } from '../../src/cli/campaign-watch.js';
import type { Operator } from '../../src/cli/operator.js';
import { linkAt } from '../../src/sessions/sign-in-links.service.js';
import type { SandboxFile } from '../sandbox-file.js';
import { besideSandbox, INTERRUPTED } from './beside-sandbox.js';
import { ensureDemoPhone, MESSAGES_PER_SECOND } from './demo-phone.js';
import { createSpringCampaign, ensureSpringTemplate } from './spring-campaign.js';

/** Between two campaigns: the last people read and answer. */
const PAUSE_MS = 2000;

export interface WatchOptions {
  /** Data directory of a sandbox that runs. */
  readonly dataDir: string;
  /** Recipients of each campaign, at most 10,000. */
  readonly people: number;
}

/** Runs one campaign after the other in a running sandbox, until Ctrl-C; returns the exit code. */
export const runWatch = ({ dataDir, people }: WatchOptions): Promise<number> =>
  besideSandbox(dataDir, ({ sandbox, operator, signal }) => new Watch(sandbox, operator, people, signal).run());

/** Sends campaigns to made-up people of whom some fail, tap and answer. */
class Watch {
  private readonly parley: Parley;

  constructor(
    private readonly sandbox: SandboxFile,
    private readonly operator: Operator,
    private readonly people: number,
    private readonly signal: AbortSignal,
  ) {
    this.parley = new Parley({ baseUrl: sandbox.base_url, apiKey: sandbox.api_key });
  }

  async run(): Promise<number> {
    const phoneId = await ensureDemoPhone(this.sandbox, this.parley, this.operator);
    await ensureSpringTemplate(this.parley);
    for (let round = 1; !this.signal.aborted; round += 1) {
      const campaign = { name: `Spring invitation ${round}`, people: this.people, phoneId };
      const id = await createSpringCampaign(this.parley, campaign);
      await this.announce(round, id);
      const state = await this.send(id);
      if (state.status === 'failed') {
        console.error(`The campaign failed: ${state.failureReason ?? 'for an unknown reason'}`);
        return 1;
      }
    }
    return INTERRUPTED;
  }

  private async announce(round: number, id: string): Promise<void> {
    const { base_url, console_link, account_id, user_id } = this.sandbox;
    const lines = [`\nCampaign ${round}: ${this.people} made-up people, ${MESSAGES_PER_SECOND} messages a second.`];
    if (console_link === null) {
      if (round === 1) lines.push('The console is off: start the sandbox without CONSOLE=off to watch there.');
    } else {
      if (round === 1) {
        // One of its own: the link of the sandbox may be in use.
        const { token } = await this.operator.signInLinks.issue(user_id, { asksPassword: false });
        lines.push(
          `  Sign in   ${linkAt(base_url, token, `${account_id}/campaigns/${id}`)}`,
          '            works once, within 10 minutes; a restart prints another one',
        );
      }
      lines.push(`  Campaign  ${base_url}/console/${account_id}/campaigns/${id}`);
    }
    if (round === 1) lines.push('  Ctrl-C cancels it.');
    console.log(`${lines.join('\n')}\n`);
  }

  /** Sends a campaign and draws it until it is over; Ctrl-C cancels it. Returns its last state. */
  private async send(id: string): Promise<CampaignState> {
    const read = () => readCampaign(this.sandbox.account_id, id, this.operator.unitOfWork.autocommit);
    const funnel = new CampaignFunnel({
      isTerminal: process.stdout.isTTY,
      out: (text: string) => process.stdout.write(text),
    });
    const began = performance.now();
    const draw = (state: CampaignState, final: boolean) => funnel.draw(state, performance.now() - began, final);
    await this.parley.campaigns.send(id);
    const isOver = ({ status }: CampaignState) => ['completed', 'cancelled', 'failed'].includes(status);
    const state = await watchCampaign({ read, draw, isOver, signal: this.signal });
    if (!isOver(state)) await this.cancel(id);
    else await sleep(PAUSE_MS, undefined, { signal: this.signal }).catch(() => undefined);
    const last = await read();
    draw(last, true);
    if (this.signal.aborted && last.status === 'cancelled') console.log('Cancelled.');
    return last;
  }

  private async cancel(id: string): Promise<void> {
    try {
      await this.parley.campaigns.cancel(id);
    } catch (error) {
      // It has ended meanwhile.
      if (!(error instanceof ParleyError && error.status === 400)) throw error;
    }
  }
}
