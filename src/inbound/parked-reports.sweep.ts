import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { type JsonObject, readEnvelope, type StatusItem } from './callback.js';
import { dropParkedReports, findRipeReports } from './inbound.queries.js';
import { ReportIntake } from './report-intake.service.js';

const BATCH = 500;

/** Applies parked reports once the message they are about has a network id, and drops them after 7 days. */
@Injectable()
export class ParkedReportsSweep extends Sweep {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly intake: ReportIntake,
  ) {
    super(SECOND);
  }

  /** Applied first and dropped then: whoever dies in between applies them again, which changes nothing. */
  protected async sweep(): Promise<void> {
    const { autocommit } = this.unitOfWork;
    const ripe = await findRipeReports(BATCH, autocommit);
    if (ripe.length === 0) return;
    await this.intake.take(ripe.flatMap(({ report }) => statusesOf(report)));
    await dropParkedReports(ripe, autocommit);
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
