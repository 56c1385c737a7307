import { randomUUID } from 'node:crypto';
import { recordStatements } from '../../bench/support/recorded-statements.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import { newRecordId } from '../../src/values/record-id.js';
import {
  type LeasedRow,
  leaseDue,
  recordAttempts,
  releaseLeases,
} from '../../src/webhooks/delivery/delivery.queries.js';
import { deliveriesSince, freshSince } from '../../src/webhooks/delivery/delivery-range.js';
import { FAILURE_EVIDENCE } from '../../src/webhooks/endpoints/endpoint-rules.js';
import { freshDatabase } from '../support/database.js';
import { World } from '../support/world.js';
import { subscribe } from './events.js';

const PENDING = 20_000;
const LEASED = 64;
/** How long a statement may take on a busy machine. */
const PATIENT = { statementMs: 120_000 };

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

interface Endpoint {
  readonly accountId: string;
  readonly endpointId: string;
}

type Statement = (tx: Tx) => Promise<unknown>;

const claimOf =
  ({ accountId, endpointId }: Endpoint): Statement =>
  (tx) =>
    leaseDue(accountId, endpointId, deliveriesSince(freshSince()), LEASED, 1000, tx);

const resultsOf = ({ accountId, endpointId }: Endpoint, leased: readonly LeasedRow[]): Statement => {
  const results = leased.map(({ id, url, leaseUntil }) => ({
    accountId,
    endpointId,
    deliveryId: id,
    url,
    leaseUntil,
    at: new Date(),
    statusCode: 200,
    durationMs: 5,
    error: null,
    response: 'ok',
    note: null,
    verdict: 'delivered' as const,
    isOurFault: false,
    next: { status: 'delivered' as const },
  }));
  return (tx) => recordAttempts(results, FAILURE_EVIDENCE, tx);
};

const releaseOf = ({ accountId }: Endpoint, leased: readonly LeasedRow[]): Statement => {
  const leases = leased.map(({ id, leaseUntil }) => ({ deliveryId: id, leaseUntil }));
  return (tx) => releaseLeases(accountId, leases, tx);
};

/** A parameter as SQL. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `'{${value.map(element).join(',')}}'`;
  return value instanceof Date ? `'${value.toISOString()}'` : typeof value === 'number' ? `${value}` : `'${value}'`;
}

const element = (value: unknown): string =>
  value === null ? 'NULL' : `"${value instanceof Date ? value.toISOString() : value}"`;

/**
 * Prepares a statement as Parley's connections do, with a plan that does not depend on the parameters.
 * @returns runs it and returns the most rows of deliveries that a single node of its plan has read
 */
async function rowsReadBy(query: Statement, tx: Tx): Promise<() => Promise<number>> {
  const [statement] = await recordStatements(query);
  await tx.rows('SET LOCAL plan_cache_mode = force_generic_plan');
  const name = `examined_${randomUUID().replaceAll('-', '')}`;
  await tx.rows(`PREPARE ${name} AS ${statement?.text}`);
  const values = statement?.parameters.map(literal).join(', ');
  return async () => {
    const row = await tx.row<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE ${name}(${values})`,
    );
    const nodes = row === null ? [] : nodesOf(row['QUERY PLAN'][0].Plan);
    const scans = nodes.filter((node) => node['Relation Name']?.startsWith('webhook_deliveries') === true);
    return Math.max(
      ...scans.map(
        (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * Math.max(1, node['Actual Loops']),
      ),
    );
  };
}

describe('the statements of deliveries', () => {
  let world: World;

  // A database each: the statistics of one test would help the next.
  beforeEach(async () => {
    world = await World.start({ databaseUrl: await freshDatabase(), env: { PARLEY_ROLES: 'api' } });
  });
  afterEach(() => world.stop());

  async function newEndpoint(): Promise<Endpoint> {
    const account = await world.account();
    return { accountId: account.accountId, endpointId: await subscribe(account, { url: 'https://hooks.example' }) };
  }

  const addDeliveries = ({ accountId, endpointId }: Endpoint, tx: Tx): Promise<number> =>
    tx.affected(
      `INSERT INTO webhook_deliveries (account_id, id, endpoint_id, event_id, kind, retries_left)
       SELECT $1, new_record_id(), $2, $3, 'message.sent', 3 FROM generate_series(1, $4::int)`,
      [accountId, endpointId, newRecordId(), PENDING],
    );

  it('read only what they lease, however many are pending and whatever the statistics say', async () => {
    const endpoint = await newEndpoint();
    await world.unitOfWork.transaction(async (tx) => {
      const read = await rowsReadBy(claimOf(endpoint), tx);
      expect(await read()).toBe(0);
      await addDeliveries(endpoint, tx);
      expect(await read()).toBe(LEASED);
      await tx.rows('ANALYZE webhook_deliveries');
      // Rows of the previous lease are skipped.
      expect(await read()).toBeLessThanOrEqual(2 * LEASED);
      expect(await read()).toBeLessThanOrEqual(3 * LEASED);
    }, PATIENT);
  });

  it.each([
    ['results of attempts', resultsOf],
    ['released leases', releaseOf],
  ] as const)('write %s without reading other deliveries', async (_, statementOf) => {
    const endpoint = await newEndpoint();
    await world.unitOfWork.transaction(async (tx) => {
      await addDeliveries(endpoint, tx);
      const [lease] = await recordStatements(claimOf(endpoint));
      const leased = await tx.rows<LeasedRow>(lease?.text ?? '', [...(lease?.parameters ?? [])]);
      expect(leased).toHaveLength(LEASED);
      const read = await rowsReadBy(statementOf(endpoint, leased), tx);
      expect(await read()).toBe(LEASED);
      await tx.rows('ANALYZE webhook_deliveries');
      expect(await read()).toBeLessThanOrEqual(LEASED);
    }, PATIENT);
  });
});
