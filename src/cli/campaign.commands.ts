import { type Command, Option } from 'commander';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../campaigns/campaign.entity.js';
import { findAccountOfCampaign } from '../campaigns/campaign.queries.js';
import type { CampaignCounts } from '../campaigns/campaign-counts.queries.js';
import { type CountedCampaign, findCampaign, listCampaigns } from '../campaigns/campaign-list.queries.js';
import { campaignNotFound } from '../campaigns/campaigns.errors.js';
import type { RecordId } from '../values/record-id.js';
import { recordId } from './argument-values.js';
import { CampaignFunnel } from './campaign-funnel.js';
import { type CampaignState, readCampaign, watchCampaign } from './campaign-watch.js';
import { CommandFailure } from './command-failure.js';
import {
  type CommandResult,
  type CommandRunner,
  Interrupted,
  MAX_LISTED,
  type Output,
  printable,
} from './command-runner.js';
import type { Operator } from './operator.js';

/** `campaigns list|show|watch`. */
export function addCampaignCommands(cli: Command, runner: CommandRunner, output: Output): void {
  const campaigns = cli.command('campaigns').description('Campaigns of any account');
  campaigns
    .command('list')
    .description('List the campaigns of an account, newest first')
    .requiredOption('--account <id>', 'the account', recordId)
    .addOption(new Option('--status <status>', 'only those in this status').choices(CAMPAIGN_STATUSES))
    .action(({ account, status }: { account: RecordId; status?: CampaignStatus }, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.accounts.requireExisting(account);
        const page = { page: 1, limit: MAX_LISTED };
        const filter = { status: status ?? null, search: null, since: null, contactId: null };
        const { rows } = await listCampaigns(account, filter, page, operator.unitOfWork.autocommit);
        return { campaigns: rows.map(rowOf) };
      }),
    );
  campaigns
    .command('show')
    .description('Show a campaign: what it sends, when, how far it is and what it waits for')
    .argument('<id>', 'campaign', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const db = operator.unitOfWork.autocommit;
        const accountId = await findAccountOfCampaign(id, db);
        const found = accountId === null ? null : await findCampaign(accountId, id, db);
        if (found === null) throw campaignNotFound(id);
        return { ...detailsOf(found), account_id: accountId };
      }),
    );
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

const answerOf = (id: RecordId, state: CampaignState): CommandResult => ({
  campaign_id: id,
  campaign_status: state.status,
  total_contacts: state.totalContacts,
  ...countsOf(state),
});

const countsOf = (counts: CampaignCounts) => ({
  sent_count: counts.sent,
  delivered_count: counts.delivered,
  read_count: counts.read,
  clicked_count: counts.clicked,
  replied_count: counts.replied,
  failed_count: counts.failed,
  held_count: counts.held,
});

const rowOf = ({ campaign, counts }: CountedCampaign) => ({
  campaign_id: campaign.id,
  name: campaign.name,
  campaign_status: campaign.status,
  paused: campaign.paused,
  waiting_reason: campaign.waitingReason,
  total_contacts: campaign.totalContacts,
  sent_count: counts.sent,
  delivered_count: counts.delivered,
  failed_count: counts.failed,
  created_at: campaign.createdAt.toISOString(),
});

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;

const detailsOf = ({ campaign, counts }: CountedCampaign) => ({
  campaign_id: campaign.id,
  name: campaign.name,
  description: campaign.description,
  template_name: campaign.templateName,
  template_language: campaign.templateLanguage,
  waba_phone_id: campaign.businessPhoneId,
  campaign_status: campaign.status,
  paused: campaign.paused,
  failure_reason: campaign.failureReason,
  waiting_reason: campaign.waitingReason,
  waiting_until: timeOf(campaign.waitingUntil),
  scheduled_at: timeOf(campaign.scheduledAt),
  scheduled_timezone: campaign.scheduledTimezone,
  send_window:
    campaign.sendWindow && `${campaign.sendWindow.from}-${campaign.sendWindow.to} ${campaign.sendWindow.timezone}`,
  send_before: timeOf(campaign.sendBefore),
  max_failure_percent: campaign.maxFailurePercent,
  total_contacts: campaign.totalContacts,
  ...countsOf(counts),
  created_at: timeOf(campaign.createdAt),
  started_at: timeOf(campaign.startedAt),
  completed_at: timeOf(campaign.completedAt),
});
