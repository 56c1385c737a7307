import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { isObject, type JsonObject, text } from '../values/network-json.js';
import { DUE_REPORT, dropParkedReports, MAX_DUE_REPORTS, pollDueReports } from './parked-report.queries.js';
import { ReportIntakeService } from './report-intake.service.js';
import { CallbackContacts, readStatus, type StatusItem } from './status-item.js';

/** Batches per run, so that a backlog does not delay a shutdown. */
const MAX_BATCHES = 20;

/** Applies parked reports once their message has its network id; drops those that find none within 7 days. */
@Injectable()
export class ParkedReportsSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly intake: ReportIntakeService,
  ) {
    super(SECOND, { look: DUE_REPORT });
  }

  protected async sweep(): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      if ((await this.sweepBatch()) < MAX_DUE_REPORTS || this.isStopping) return;
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
    await this.forEachAccount(due, async (_, own) => {
      await this.intake.record(statusesOf(own.flatMap(({ report }) => (report === null ? [] : [report]))));
      await dropParkedReports(
        own.filter(({ report, isExpired }) => report !== null || isExpired),
        autocommit,
      );
    });
    return due.length;
  }
}

/** Turns parked reports back into status items. */
function statusesOf(reports: readonly unknown[]): StatusItem[] {
  return reports.flatMap((report): StatusItem[] => {
    const { phone_number_id, status: raw } = report as JsonObject;
    const phoneNumberId = text(phone_number_id);
    const status = isObject(raw) ? readStatus(raw, NO_CONTACTS) : null;
    return phoneNumberId === null || status === null ? [] : [{ kind: 'status', phoneNumberId, status }];
  });
}

const NO_CONTACTS = new CallbackContacts([]);
