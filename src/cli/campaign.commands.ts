import type { Command } from 'commander';
import { findAccountOfCampaign } from '../campaigns/campaign.queries.js';
import { campaignNotFound } from '../campaigns/campaigns.errors.js';
import type { RecordId } from '../values/record-id.js';
import { recordId } from './argument-values.js';
import { CampaignFunnel, printable } from './campaign-funnel.js';
import { type CampaignState, readCampaign, watchCampaign } from './campaign-watch.js';
import { CommandFailure } from './command-failure.js';
import { type Answer, type CommandRunner, Interrupted, type Output } from './command-runner.js';
import type { Operator } from './operator.js';

/** `campaigns watch`. */
export function addCampaignCommands(cli: Command, runner: CommandRunner, output: Output): void {
  const campaigns = cli.command('campaigns').description('Campaigns of any account');
  campaigns
    .command('watch')
    .description('Show a campaign’s progress until it is completed or cancelled (exit 0) or has failed (exit 1)')
    .argument('<id>', 'campaign', recordId)
    .action((id: RecordId, _: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: true }>();
      return runner.run(command, async (operator) => {
        const state = await watch(operator, id, json ? null : new CampaignFunnel(output));
        return json ? answerOf(id, state) : null;
      });
    });
}

/** @throws Interrupted at Ctrl-C, CommandFailure when the campaign has failed */
async function watch({ unitOfWork }: Operator, id: RecordId, funnel: CampaignFunnel | null): Promise<CampaignState> {
  const tx = unitOfWork.autocommit;
  const accountId = await findAccountOfCampaign(id, tx);
  if (accountId === null) throw campaignNotFound(id);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  try {
    const began = performance.now();
    const state = await watchCampaign({
      read: () => readCampaign(accountId, id, tx),
      draw: (each, final) => funnel?.draw(each, performance.now() - began, final),
      isOver,
      signal: interruption.signal,
    });
    if (state.status === 'failed') throw new CommandFailure(`the campaign failed: ${reasonOf(state)}`);
    if (!isOver(state)) throw new Interrupted();
    return state;
  } finally {
    process.off('SIGINT', interrupt);
  }
}

const isOver = ({ status }: CampaignState): boolean =>
  status === 'completed' || status === 'cancelled' || status === 'failed';

const reasonOf = ({ failureReason }: CampaignState): string => printable(failureReason ?? 'for an unknown reason');

const answerOf = (id: RecordId, state: CampaignState): Answer => ({
  campaign_id: id,
  campaign_status: state.status,
  total_contacts: state.totalContacts,
  sent_count: state.sent,
  delivered_count: state.delivered,
  read_count: state.read,
  clicked_count: state.clicked,
  replied_count: state.replied,
  failed_count: state.failed,
});
