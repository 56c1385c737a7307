import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { type JsonObject, readEnvelope, type StatusItem } from './callback.js';
import { dropParkedReports, MAX_DUE_REPORTS, pollDueReports } from './parked-report.queries.js';
import { ReportIntakeService } from './report-intake.service.js';

/** Batches of one run: a backlog is worked off without keeping a shutdown waiting. */
const MAX_BATCHES = 20;

/** Applies parked reports once their message is known by its network id; drops those that found none within 7 days. */
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
   * Applies first and drops then: if the process dies in between, the reports are applied again, which changes nothing.
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

/** A parked report as the item it once was. */
function statusesOf(report: unknown): StatusItem[] {
  const { phone_number_id: phoneNumberId, status } = (report ?? {}) as JsonObject;
  const value = { metadata: { phone_number_id: phoneNumberId }, statuses: [status] };
  const items = readEnvelope({
    object: 'whatsapp_business_account',
    entry: [{ id: '', changes: [{ field: 'messages', value }] }],
  });
  return (items ?? []).filter((item): item is StatusItem => item.kind === 'status');
}
