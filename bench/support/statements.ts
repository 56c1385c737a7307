import type { UnitOfWork } from '../../src/database/unit-of-work.js';

/** PostgreSQL settings required by {@link printStatements}. */
export const STATEMENT_SETTINGS: Readonly<Record<string, string>> = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  'pg_stat_statements.track': 'top',
};

interface StatementRow {
  readonly calls: number;
  readonly planMs: number;
  readonly runMs: number;
  readonly text: string;
}

/** Prints the most expensive statements, with planning and execution times, and the share of HOT updates. */
export async function printStatements(unitOfWork: UnitOfWork): Promise<void> {
  await unitOfWork.autocommit.rows('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const rows = await unitOfWork.autocommit.rows<StatementRow>(
    `SELECT calls, total_plan_time AS plan_ms, total_exec_time AS run_ms, left(regexp_replace(query, '\\s+', ' ', 'g'), 90) AS text
     FROM pg_stat_statements ORDER BY total_plan_time + total_exec_time DESC LIMIT 15`,
  );
  console.log('  calls     plan ms    run ms  statement');
  for (const { calls, planMs, runMs, text } of rows) {
    console.log(
      `  ${String(calls).padEnd(8)} ${planMs.toFixed(0).padStart(8)} ${runMs.toFixed(0).padStart(9)}  ${text}`,
    );
  }
  const tables = await unitOfWork.autocommit.rows<{ name: string; updates: number; hot: number }>(
    `SELECT relname AS name, n_tup_upd::int AS updates, n_tup_hot_upd::int AS hot
     FROM pg_stat_user_tables WHERE n_tup_upd > 1000 ORDER BY n_tup_upd DESC`,
  );
  for (const { name, updates, hot } of tables) {
    console.log(`  ${name}: ${updates} updates, ${Math.round((100 * hot) / updates)} % HOT`);
  }
}
