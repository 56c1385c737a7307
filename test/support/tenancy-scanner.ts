import { TENANT_TABLES, TENANT_VIEWS } from './tenancy-tables.js';

/** A statement that may touch rows of all accounts, identified by its beginning, and the reason. */
export interface PipelineStatement {
  /** The beginning of its text, with single spaces. */
  readonly begins: string;
  readonly why: string;
}

/** The allowed exceptions: statements that look up the tenant, and statements that work for all tenants. */
export const PIPELINE_STATEMENTS: readonly PipelineStatement[] = [
  {
    begins: 'SELECT k.id, k.account_id, a.organisation_id,',
    why: 'authentication: the prefix of a key, unique by constraint, identifies the account',
  },
  { begins: 'SELECT account_id FROM api_keys WHERE id = $1', why: 'operators name a key without its account' },
  {
    begins: 'SELECT account_id FROM campaigns WHERE id = $1',
    why: 'operators name a campaign without its account',
  },
  {
    begins: 'SELECT account_id FROM business_phones WHERE id = $1',
    why: 'operators name a phone without its account',
  },
  {
    begins: 'SELECT account_id FROM business_phones WHERE phone_number_id = $1',
    why: 'callbacks name a phone, which belongs to one account by constraint',
  },
  {
    begins: 'SELECT account_id FROM business_accounts WHERE waba_id = $1',
    why: 'callbacks name a business account, which belongs to one account by constraint',
  },
  {
    begins: 'SELECT account_id, id FROM business_phones WHERE look_up_at <= now()',
    why: 'the sweep finds phones of all accounts that are due for a look-up on the network',
  },
  {
    begins: 'UPDATE sends_in_flight SET lease_until = NULL WHERE (account_id, id) IN',
    why: 'the sweep releases the leases of dead workers, for all accounts',
  },
  {
    begins: 'SELECT g.account_id, g.id FROM campaigns g LEFT JOIN phone_throughput t',
    why: 'the sweep finds campaigns of all accounts with recipients due',
  },
  {
    begins: "SELECT g.account_id, g.id FROM campaigns g WHERE g.status = 'running' AND NOT EXISTS",
    why: 'the sweep finds finished campaigns of all accounts that a crash left running',
  },
  {
    begins: 'UPDATE phone_throughput SET owner = NULL, owned_until = NULL WHERE owner = $1',
    why: 'a process that stops releases all phones that it owned',
  },
  {
    begins: "SELECT account_id, id FROM campaigns WHERE status = 'scheduled' AND scheduled_at <= now()",
    why: 'the sweep finds scheduled campaigns of all accounts that are due',
  },
  {
    begins: "SELECT account_id, id FROM campaigns WHERE status = 'running' AND NOT paused AND max_failure_percent",
    why: 'the sweep checks the failure rate of running campaigns of all accounts',
  },
  {
    begins: 'SELECT g.account_id, g.id FROM campaigns g WHERE g.closes_at <= now()',
    why: 'the sweep finds campaigns of all accounts whose sending window has closed',
  },
  {
    begins:
      'SELECT b.account_id, b.id, b.campaign_id, b.message_ids, b.lease_until, b.settle_at, b.unsent FROM sends_in_flight b WHERE b.settle_at',
    why: 'the sweep finds batches of all accounts past the horizon for unknown outcomes',
  },
  {
    begins: 'WITH due AS MATERIALIZED ( SELECT account_id, ctid AS place FROM parked_reports WHERE look_at <= now()',
    why: 'the sweep finds parked reports of all accounts; the join keeps each to messages of its own account',
  },
  {
    begins:
      "WITH unsynced AS MATERIALIZED ( SELECT set_config('synchronous_commit', 'off', true) ), taken AS MATERIALIZED ( DELETE FROM outbox",
    why: 'the relay takes events of all accounts in id order; the join keeps each to endpoints of its own account',
  },
  {
    begins: 'DELETE FROM idempotency_keys WHERE (account_id, family, idempotency_key) IN',
    why: 'the sweep deletes old keys of all accounts',
  },
  {
    begins: 'WITH RECURSIVE waiting AS (',
    why: 'the sweep steps through the endpoints of all accounts',
  },
  {
    begins: 'WITH RECURSIVE running AS MATERIALIZED (',
    why: 'metrics tell operators how far the work of all accounts is behind',
  },
  {
    begins: 'SELECT r.account_id, r.endpoint_id FROM webhook_replays r JOIN',
    why: 'the sweep advances the replays of all accounts',
  },
  {
    begins: 'SELECT account_id, id AS endpoint_id FROM webhook_endpoints WHERE deleted_at IS NOT NULL',
    why: 'the sweep removes the remaining rows of deleted endpoints of all accounts',
  },
  {
    begins: 'SELECT account_id FROM erasure_runs UNION SELECT account_id FROM contact_erasures WHERE due_at <= now()',
    why: 'the sweep finds accounts with pending erasures',
  },
  {
    begins: 'SELECT account_id FROM contact_purges ORDER BY requested_at',
    why: 'the sweep finds accounts with a pending purge of all contacts',
  },
  {
    begins: 'SELECT a.id AS account_id FROM accounts a WHERE EXISTS (SELECT FROM contacts c',
    why: 'operators name a contact without its account',
  },
  {
    begins: 'WITH scanned AS MATERIALIZED ( SELECT id FROM unhandled_callbacks WHERE account_id IS NULL',
    why: 'erasures also clear callbacks without an account that mention the erased contact',
  },
  {
    begins: 'SELECT account_id, id AS group_id FROM contact_groups WHERE deleted_at IS NOT NULL',
    why: 'the sweep removes the remaining rows of deleted groups of all accounts',
  },
  {
    begins: 'SELECT DISTINCT account_id, counter, subject_id FROM counter_changes',
    why: 'counter changes of all accounts are folded, each into its own counter',
  },
  {
    begins: "SELECT id, status = 'running' AS is_running FROM campaigns",
    why: 'a month is dropped for all accounts or for none',
  },
  {
    begins: 'WITH deleted AS ( DELETE FROM campaigns WHERE (account_id, id) IN',
    why: 'campaigns of all accounts are deleted with the month of their recipients',
  },
  {
    begins:
      'WITH expired AS MATERIALIZED ( SELECT account_id, id, network_message_id, contact_id, business_phone_id FROM messages',
    why: 'rows of other tables that refer to messages are deleted with the month of the messages, for all accounts',
  },
  {
    begins: 'SELECT id FROM unhandled_callbacks ORDER BY id',
    why: 'operators query the age of the oldest callback of all accounts',
  },
  {
    begins: 'DELETE FROM unhandled_callbacks WHERE id IN',
    why: 'old callbacks of all accounts are deleted',
  },
];

interface Token {
  readonly kind: 'word' | 'symbol';
  readonly text: string;
}

/** The statement, one arm of a UNION or one level of parentheses: its tokens and nested blocks. */
interface Block {
  parent: Block | null;
  items: (Token | Block)[];
}

/** A reference to a tenant table in a block, with its alias. */
interface TableReference {
  readonly table: string;
  readonly alias: string;
  readonly block: Block;
  readonly inserted: boolean;
}

const TENANT = new Set([...TENANT_TABLES, ...TENANT_VIEWS]);
/** A join with this table by id only tells the account of a row; it does not restrict the account. */
const ACCOUNTS = 'accounts';
/** The suffix of a partition: a month or a day. */
const PARTITION = /_(?:\d{6}|\d{8})$/;
/** Words after a table name that are not its alias. */
const NO_ALIAS = new Set(
  `as on where set join inner left right full cross lateral natural using order group limit offset for returning values
   select default union except intersect window having and or tablesample with then when overriding`.split(/\s+/),
);

/**
 * The tenant tables that a statement touches without restricting the account. A table is guarded if its `account_id` is
 * compared with an outside value (a parameter, an array, a CTE), directly or through other tables; in an INSERT, if
 * `account_id` is among the columns. The parser covers the SQL of our query files. It does not check that the value is
 * the right account.
 */
export function unguardedTables(sql: string): string[] {
  const root = parse(sql);
  if (!/^(?:select|insert|update|delete|with|merge)$/.test(firstWord(root))) return [];
  const references = referencesIn(root);
  const unguarded = references.filter((one) => one.table !== ACCOUNTS && !isGuarded(one, references));
  return [...new Set(unguarded.map(({ table }) => table))];
}

/** Whether a statement is one of the exceptions. */
export const isPipelineStatement = (sql: string, list = PIPELINE_STATEMENTS): boolean =>
  list.some(({ begins }) => normalise(sql).startsWith(begins));

/** The statement on one line, with single spaces. */
export const normalise = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

function isGuarded(reference: TableReference, all: readonly TableReference[]): boolean {
  if (reference.inserted) return insertsAccount(reference);
  const reached = new Set([reference]);
  for (const { block, alias } of reached) {
    for (const other of comparedWith(block, alias, true)) {
      const next =
        other === null
          ? undefined
          : all.find((one) => !one.inserted && one.alias === other && encloses(one.block, block));
      // An alias that is not a tenant table supplies the account from outside.
      if (next === undefined) return true;
      if (next.table !== ACCOUNTS) reached.add(next);
    }
  }
  return false;
}

/** Whether one of the blocks contains the other: a comparison may be in either. */
function encloses(outer: Block, inner: Block): boolean {
  const within = (block: Block | null, ancestor: Block): boolean =>
    block !== null && (block === ancestor || within(block.parent, ancestor));
  return within(inner, outer) || within(outer, inner);
}

/** `INSERT INTO table (…, account_id, …)`. */
function insertsAccount({ block, table }: TableReference): boolean {
  const at = block.items.findIndex((item, index) => isWord(item, 'into') && tableAt(block, index + 1)?.table === table);
  const columns = block.items.slice(at).find((item): item is Block => !isToken(item));
  return columns?.items.some((item) => isWord(item, 'account_id')) === true;
}

/**
 * What `alias.account_id` is compared with in a block and its nested blocks: the alias of the other side, or null if
 * that is not a column. An unqualified `account_id` refers only to the tables of its own block.
 */
function comparedWith(block: Block, alias: string, own: boolean): (string | null)[] {
  return block.items.flatMap((item, index): (string | null)[] => {
    if (!isToken(item)) {
      const row = isWord(block.items[index + 1], 'in') || isSymbol(block.items[index + 1], '=');
      if (row && namesAccount(item, alias, own)) return [null];
      return comparedWith(item, alias, own && !startsQuery(item));
    }
    if (item.text !== 'account_id') return [];
    const qualified = isSymbol(block.items[index - 1], '.');
    if (qualified ? !isWord(block.items[index - 2], alias) : !own) return [];
    const first = qualified ? index - 2 : index;
    if (isSymbol(block.items[index + 1], '=')) return [aliasAt(block, index + 2, 1)];
    if (isWord(block.items[index + 1], 'in')) return [null];
    if (isSymbol(block.items[first - 1], '=')) return [aliasAt(block, first - 2, -1)];
    return [];
  });
}

/** Whether a row expression such as `(alias.account_id, alias.id)` contains `account_id`. */
const namesAccount = (row: Block, alias: string, own: boolean): boolean =>
  row.items.some((item, index) => {
    if (!isWord(item, 'account_id')) return false;
    return isSymbol(row.items[index - 1], '.') ? isWord(row.items[index - 2], alias) : own;
  });

/** The qualifier of the column that starts (`step` 1) or ends (`step` -1) at a position, or null if it has none. */
function aliasAt(block: Block, at: number, step: 1 | -1): string | null {
  if (!isSymbol(block.items[at + step], '.')) return null;
  const qualifier = block.items[step === 1 ? at : at - 2];
  return isToken(qualifier) ? qualifier.text : null;
}

const startsQuery = (block: Block): boolean => /^(?:select|with|insert|update|delete)$/.test(firstWord(block));

function referencesIn(block: Block): TableReference[] {
  const found: TableReference[] = [];
  let inFrom = false;
  block.items.forEach((item, index) => {
    if (!isToken(item)) {
      found.push(...referencesIn(item));
      return;
    }
    const previous = textOf(block.items[index - 1]);
    if (item.text === 'from') inFrom = previous !== 'distinct';
    else if (/^(?:where|set|group|order|limit|returning|union|select|values|for)$/.test(item.text)) inFrom = false;
    // UPDATE in ON CONFLICT and FOR UPDATE is not followed by a table.
    const updates = item.text === 'update' && !/^(?:do|for|key)$/.test(previous);
    const starts = /^(?:from|join|using|into)$/.test(item.text) || updates || (item.text === ',' && inFrom);
    const named = starts ? tableAt(block, index + 1) : null;
    if (named !== null) found.push({ ...named, block, inserted: item.text === 'into' });
  });
  return found;
}

/** The tenant table at a position, if any: `[ONLY] [public.]table [[AS] alias]`. */
function tableAt(block: Block, at: number): { table: string; alias: string } | null {
  let index = at;
  while (isWord(block.items[index], 'only') || isWord(block.items[index], 'lateral')) index += 1;
  if (isWord(block.items[index], 'public') && isSymbol(block.items[index + 1], '.')) index += 2;
  const table = textOf(block.items[index]).replace(PARTITION, '');
  if (!TENANT.has(table) && table !== ACCOUNTS) return null;
  const next = isWord(block.items[index + 1], 'as') ? index + 2 : index + 1;
  const alias = block.items[next];
  const named = isToken(alias) && alias.kind === 'word' && !NO_ALIAS.has(alias.text);
  return { table, alias: named ? alias.text : table };
}

/** Drops comments and literals, lowercases names, and removes the quotes of quoted names. */
function parse(sql: string): Block {
  const root: Block = { parent: null, items: [] };
  let block = root;
  const pattern =
    /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|[eE]?'(?:[^'\\]|''|\\.)*'|"((?:[^"]|"")+)"|([A-Za-z_][\w$]*)|(\$\d+|\d[\d.]*)|(\S)/g;
  for (const [text, , quoted, word, , symbol] of sql.matchAll(pattern)) {
    if (/^(?:--|\/\*)/.test(text)) continue;
    if (symbol === '(') {
      const inner: Block = { parent: block, items: [] };
      block.items.push(inner);
      block = inner;
    } else if (symbol === ')') {
      separateArms(block);
      block = block.parent ?? root;
    } else if (symbol !== undefined) block.items.push({ kind: 'symbol', text: symbol });
    else if (quoted !== undefined) block.items.push({ kind: 'word', text: quoted });
    else if (word !== undefined) block.items.push({ kind: 'word', text: word.toLowerCase() });
    else block.items.push({ kind: 'symbol', text: '?' });
  }
  separateArms(root);
  return root;
}

/** Each arm of a UNION must be guarded separately, so each becomes a block. */
function separateArms(block: Block): void {
  const arms: Block[] = [{ parent: block, items: [] }];
  for (const item of block.items) {
    if (isToken(item) && /^(?:union|intersect|except)$/.test(item.text)) arms.push({ parent: block, items: [] });
    else if (!(arms.length > 1 && isWord(item, 'all'))) arms.at(-1)?.items.push(item);
  }
  if (arms.length === 1) return;
  block.items = arms;
  for (const arm of arms) for (const item of arm.items) if (!isToken(item)) item.parent = arm;
}

const isToken = (item: Token | Block | undefined): item is Token => item !== undefined && 'text' in item;
const textOf = (item: Token | Block | undefined): string => (isToken(item) ? item.text : '');
const isWord = (item: Token | Block | undefined, text: string): boolean =>
  isToken(item) && item.kind === 'word' && item.text === text;
const isSymbol = (item: Token | Block | undefined, text: string): boolean =>
  isToken(item) && item.kind === 'symbol' && item.text === text;

/** The first word, even if the statement starts with a parenthesis. */
function firstWord(block: Block): string {
  const [first] = block.items;
  return first === undefined ? '' : isToken(first) ? first.text : firstWord(first);
}
