import type { Database, Tx } from '../database/unit-of-work.js';
import type { ParkedReport } from './parked-report.entity.js';

/** A report to park: its body as the network sent it, and its phone. */
export type NewParkedReport = Pick<ParkedReport, 'accountId' | 'id' | 'networkMessageId' | 'report'>;

/** Parks reports until a message with their network id appears. Pipeline statement: each report names its tenant. */
export async function parkReports(reports: readonly NewParkedReport[], tx: Tx): Promise<void> {
  if (reports.length === 0) return;
  await tx.affected(
    `INSERT INTO parked_reports (account_id, id, network_message_id, report)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::json[])`,
    [
      reports.map(({ accountId }) => accountId),
      reports.map(({ id }) => id),
      reports.map(({ networkMessageId }) => networkMessageId),
      reports.map(({ report }) => JSON.stringify(report)),
    ],
  );
}

/** A parked report that was due for another lookup. */
export interface DueReport extends Pick<ParkedReport, 'accountId' | 'id'> {
  /** Null while no message has its network id. */
  readonly report: unknown;
  readonly isExpired: boolean;
}

/** Reports per batch. */
export const MAX_DUE_REPORTS = 500;

/** A look: whether any parked report is due. */
export const DUE_REPORT = 'SELECT true FROM parked_reports WHERE look_at <= now() ORDER BY look_at LIMIT 1';

/**
 * Looks up the messages of due reports, longest overdue first. The next lookup is delayed by the report's age: a
 * message that appears soon is found quickly, and a report that never finds its message costs little. Rows that another
 * process has locked are skipped. The LIMIT is a literal and rows are updated by ctid, because otherwise the planner
 * would read the whole backlog for each batch. Pipeline statement: a report only matches messages of its own tenant.
 */
export function pollDueReports(db: Database): Promise<DueReport[]> {
  return db.rows<DueReport>(
    `WITH due AS MATERIALIZED (
       SELECT account_id, ctid AS place FROM parked_reports
       WHERE look_at <= now()
       ORDER BY look_at LIMIT ${MAX_DUE_REPORTS}
       FOR UPDATE SKIP LOCKED
     ), moved AS (
       UPDATE parked_reports p
       SET look_at = now() + least(greatest(now() - p.received_at, interval '1 second'), interval '1 hour')
       FROM due WHERE p.account_id = due.account_id AND p.ctid = due.place
       RETURNING p.account_id, p.id, p.network_message_id, p.report, p.received_at
     )
     SELECT moved.account_id, moved.id, CASE WHEN n.message_id IS NOT NULL THEN moved.report END AS report,
            moved.received_at < now() - interval '7 days' AS is_expired
     FROM moved
     LEFT JOIN network_messages n
       ON n.account_id = moved.account_id AND n.outbound
         AND n.network_message_id IN (moved.network_message_id, erased_network_id(moved.network_message_id))`,
  );
}

/** Drops parked reports. Pipeline statement: each names its tenant. */
export async function dropParkedReports(
  reports: readonly Pick<ParkedReport, 'accountId' | 'id'>[],
  db: Database,
): Promise<void> {
  if (reports.length === 0) return;
  await db.affected(
    `DELETE FROM parked_reports p USING unnest($1::uuid[], $2::uuid[]) AS done (account_id, id)
     WHERE p.account_id = done.account_id AND p.id = done.id`,
    [reports.map(({ accountId }) => accountId), reports.map(({ id }) => id)],
  );
}
