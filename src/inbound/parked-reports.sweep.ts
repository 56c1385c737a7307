import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { type JsonObject, readEnvelope, type StatusItem } from './callback.js';
import { dropParkedReports, MAX_DUE_REPORTS, pollDueReports } from './parked-report.queries.js';
import { ReportIntakeService } from './report-intake.service.js';

/** Batches per run, so that a backlog does not delay a shutdown. */
const MAX_BATCHES = 20;

/** Applies parked reports once their message has its network id; drops those that find none within 7 days. */
@Injectable()
export class ParkedReportsSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly intake: ReportIntakeService,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      if ((await this.sweepBatch()) < MAX_DUE_REPORTS) return;
    }
  }

  /**
   * Applies reports before dropping them: after a crash in between they are applied again, which changes nothing.
   *
   * @returns how many reports were due
   */
  private async sweepBatch(): Promise<number> {
    const { autocommit } = this.unitOfWork;
    const due = await pollDueReports(autocommit);
    await this.intake.record(due.flatMap(({ report }) => (report === null ? [] : statusesOf(report))));
    await dropParkedReports(
      due.filter(({ report, isExpired }) => report !== null || isExpired),
      autocommit,
    );
    return due.length;
  }
}

/** Turns a parked report back into status items. */
function statusesOf(report: unknown): StatusItem[] {
  const { phone_number_id: phoneNumberId, status } = (report ?? {}) as JsonObject;
  const value = { metadata: { phone_number_id: phoneNumberId }, statuses: [status] };
  const items = readEnvelope({
    object: 'whatsapp_business_account',
    entry: [{ id: '', changes: [{ field: 'messages', value }] }],
  });
  return (items ?? []).filter((item): item is StatusItem => item.kind === 'status');
}
