import { Injectable } from '@nestjs/common';
import { sealContent, sealRecipient } from '../campaigns/authoring/one-time-codes.js';
import { SecretBox } from '../database/secrets/secret-box.js';
import { BackgroundUnitOfWork, type Tx } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { flatMapInSlices, mapInSlices } from '../runtime/slices.js';
import { SECOND } from '../values/clock.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import type { CodeMaskingRun } from './code-masking-run.entity.js';
import {
  DUE_MASKING,
  endMaskingPass,
  findAccountsToMask,
  lockMaskingRun,
  saveMaskingProgress,
} from './code-masking-run.queries.js';
import { lockBodies, replaceBodies } from './erased-rows.queries.js';
import { maskedError, maskedText } from './masked-text.js';
import {
  type CodeCampaign,
  emptyPersonalValues,
  errorsOf,
  findCampaignOfCodes,
  findCodeTemplates,
  lockCampaignWithCodes,
  lockPersonalValues,
  replaceCampaignContent,
  replaceContents,
  replacePersonalValues,
  scanFailureEvents,
  scanMessages,
} from './stored-codes.queries.js';

/** Batches per account and run, so that other accounts get their turn and a shutdown does not wait long. */
const MAX_BATCHES = 50;
/** Rows per batch. */
const SCAN_ROWS = 2000;
const PAGE_ROWS = 500;

const FIRST_STEP = 'messages';

/** Handles a bounded batch of one step. @returns the position to continue from, or null when the step is complete */
type Step = (run: CodeMaskingRun, tx: Tx) => Promise<RecordId | null>;

/**
 * Masks one-time codes that were stored before releases masked them: in messages with the previews of their conversations,
 * in the network's errors and the events about them, and in campaigns with their recipients. Each batch commits together
 * with the run's position, so any worker can continue after a crash. Campaigns that may still send are left to the second
 * pass, which also encrypts their codes: a process of the release before could not send them.
 */
@Injectable()
export class CodeMaskingSweep extends Sweep {
  /** In the order in which they run. Campaigns come before recipients, so that nobody is retried without a code. */
  private readonly steps: ReadonlyMap<string, Step> = new Map<string, Step>([
    [FIRST_STEP, maskMessages],
    ['events', maskEvents],
    ['campaigns', (run, tx) => this.maskCampaign(run, tx)],
    ['recipients', emptyRecipients],
  ]);

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly secrets: SecretBox,
  ) {
    super(SECOND, { look: DUE_MASKING });
  }

  protected async sweep(): Promise<void> {
    const accountIds = await findAccountsToMask(this.unitOfWork.autocommit);
    await this.forEach(
      accountIds,
      (accountId) => `account ${accountId}`,
      async (accountId) => {
        for (let batches = 0; batches < MAX_BATCHES; batches += 1) if (!(await this.runBatch(accountId))) return;
      },
    );
  }

  /** @returns whether the account may have more to do */
  private runBatch(accountId: string): Promise<boolean> {
    return this.unitOfWork.transaction(async (tx) => {
      const run = await lockMaskingRun(accountId, tx);
      if (run === null) return false;
      const step = this.steps.get(run.step);
      if (step === undefined)
        throw new Error(`the codes of account ${accountId} are at the unknown step "${run.step}"`);
      const position = await step(run, tx);
      const next = position === null ? this.stepAfter(run.step) : { step: run.step, position };
      if (next === null) await endMaskingPass(run, FIRST_STEP, tx);
      else await saveMaskingProgress(accountId, next, tx);
      return true;
    });
  }

  private stepAfter(step: string): Pick<CodeMaskingRun, 'step' | 'position'> | null {
    const names = [...this.steps.keys()];
    const next = names[names.indexOf(step) + 1];
    return next === undefined ? null : { step: next, position: NIL_ID };
  }

  private async maskCampaign({ accountId, position, passes }: CodeMaskingRun, tx: Tx): Promise<RecordId | null> {
    const campaign = await lockCampaignWithCodes(accountId, position, passes === 0, tx);
    if (campaign === null) return null;
    const stored = sealContent(accountId, campaign.id, campaign.content, this.secrets);
    if (!campaign.hasEnded) await this.sealPersonalValues(accountId, campaign, tx);
    await replaceCampaignContent(accountId, campaign.id, campaign.hasEnded ? { ...stored, code: null } : stored, tx);
    return campaign.id;
  }

  /** The sweep of settled codes deletes those that are not needed. */
  private async sealPersonalValues(accountId: string, { id }: CodeCampaign, tx: Tx): Promise<void> {
    const stored = await lockPersonalValues(accountId, id, tx);
    const sealed = await mapInSlices(stored, ({ contactId, position, personal }) => ({
      contactId,
      ...sealRecipient(accountId, id, position, personal, this.secrets),
    }));
    if (sealed.length > 0) await replacePersonalValues(accountId, id, sealed, tx);
  }
}

const maskMessages: Step = async (run, tx) => {
  const { accountId } = run;
  const templates = await findCodeTemplates(accountId, tx);
  const names = [...new Set(templates.map(({ name }) => name))];
  const bodiesOf = new Map(
    names.map((name) => [name, templates.filter((template) => template.name === name).map(({ body }) => body)]),
  );
  const { lastId, messages } = await scanMessages(run, names, SCAN_ROWS, tx);
  const masked = await flatMapInSlices(messages, (message) => {
    const bodies = bodiesOf.get(message.templateName) ?? [];
    const [content, error] = [maskedText(message.content, bodies), maskedError(message, bodies)];
    return content === message.content && error === null ? [] : [{ id: message.id, content, error }];
  });
  if (masked.length > 0) await replaceContents(accountId, masked, tx);
  return lastId;
};

interface FailureBody {
  readonly message: { readonly message_id: string; readonly error_message: string };
}

/** Gives events the errors of their messages, which are masked by now. */
const maskEvents: Step = async ({ accountId, position }, tx) => {
  const names = (await findCodeTemplates(accountId, tx)).map(({ name }) => name);
  const { lastId, failures } = await scanFailureEvents(accountId, position, SCAN_ROWS, tx);
  if (failures.length === 0) return lastId;
  const events = await lockBodies(accountId, failures, tx);
  const bodies = events.map(({ id, body }) => ({ id, body: JSON.parse(body) as FailureBody }));
  const messageIds = bodies.map(({ body }) => body.message.message_id);
  const errors = await errorsOf(accountId, messageIds, names, tx);
  const masked = bodies.flatMap(({ id, body }) => {
    const { message } = body;
    const error = errors.get(message.message_id) ?? null;
    if (error === null || error === message.error_message) return [];
    return [{ id, body: JSON.stringify({ ...body, message: { ...message, error_message: error } }) }];
  });
  if (masked.length > 0) await replaceBodies(accountId, masked, tx);
  return lastId;
};

/** A campaign comes again until its recipients have no more values. */
const emptyRecipients: Step = async ({ accountId, position }, tx) => {
  const campaignId = await findCampaignOfCodes(accountId, position, tx);
  if (campaignId === null) return null;
  const emptied = await emptyPersonalValues(accountId, campaignId, PAGE_ROWS, tx);
  return emptied === PAGE_ROWS ? position : campaignId;
};
