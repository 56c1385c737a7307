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

/** Tables whose rows belong to an account. */
type Tables = ReadonlySet<string>;

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
export function unguardedTables(sql: string, tables: Tables): string[] {
  const root = parse(sql);
  if (!/^(?:select|insert|update|delete|with|merge)$/.test(firstWord(root))) return [];
  const references = referencesIn(root, tables);
  const unguarded = references.filter((one) => one.table !== ACCOUNTS && !isGuarded(one, references, tables));
  return [...new Set(unguarded.map(({ table }) => table))];
}

/** Words that take a statement out of its transaction, its deadline or its session. */
const FORBIDDEN =
  /^(?:set_config|pg_terminate_backend|pg_cancel_backend|pg_(?:try_)?advisory_lock(?:_shared)?|dblink\w*)$/;

/**
 * Why a statement may not run on behalf of one account within a transaction of others' work; null when it may.
 *
 * @param tables those whose rows belong to an account; others are read-only
 */
export function objectionTo(sql: string, tables: Tables): string | null {
  const root = parse(sql);
  const first = firstWord(root);
  if (!/^(?:select|insert|update|delete|with|merge|values)$/.test(first)) return `it begins with "${first}"`;
  if (root.items.slice(0, -1).some((item) => isSymbol(item, ';'))) return 'it is several statements';
  const written = writtenIn(root);
  const word = written.words.find((each) => FORBIDDEN.test(each));
  if (word !== undefined) return `it calls ${word}`;
  const shared = written.tables.find((table) => !tables.has(table));
  if (shared !== undefined) return `it writes to "${shared}", whose rows belong to no account`;
  const [unguarded] = unguardedTables(sql, tables);
  return unguarded === undefined ? null : `it does not restrict the account of "${unguarded}"`;
}

/** The names of all tables that a block writes to, and all its words. */
function writtenIn(block: Block): { readonly tables: string[]; readonly words: string[] } {
  const inner = block.items.flatMap((item) => (isToken(item) ? [] : [writtenIn(item)]));
  const words = block.items.flatMap((item) => (isToken(item) && item.kind === 'word' ? [item.text] : []));
  const targets = block.items.flatMap((item, index) => {
    const previous = textOf(block.items[index - 1]);
    const starts =
      (isWord(item, 'into') && /^(?:insert|merge)$/.test(previous)) ||
      (isWord(item, 'from') && previous === 'delete') ||
      (isWord(item, 'update') && !/^(?:do|for|key|then)$/.test(previous));
    return starts ? [nameAt(block, index + 1)] : [];
  });
  return {
    tables: [...targets, ...inner.flatMap(({ tables }) => tables)],
    words: [...words, ...inner.flatMap((each) => each.words)],
  };
}

function isGuarded(reference: TableReference, all: readonly TableReference[], tables: Tables): boolean {
  if (reference.inserted) return insertsAccount(reference, tables);
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
function insertsAccount({ block, table }: TableReference, tables: Tables): boolean {
  const at = block.items.findIndex(
    (item, index) => isWord(item, 'into') && tableAt(block, index + 1, tables)?.table === table,
  );
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

function referencesIn(block: Block, tables: Tables): TableReference[] {
  const found: TableReference[] = [];
  let inFrom = false;
  block.items.forEach((item, index) => {
    if (!isToken(item)) {
      found.push(...referencesIn(item, tables));
      return;
    }
    const previous = textOf(block.items[index - 1]);
    if (item.text === 'from') inFrom = previous !== 'distinct';
    else if (/^(?:where|set|group|order|limit|returning|union|select|values|for)$/.test(item.text)) inFrom = false;
    // UPDATE in ON CONFLICT and FOR UPDATE is not followed by a table.
    const updates = item.text === 'update' && !/^(?:do|for|key)$/.test(previous);
    const starts = /^(?:from|join|using|into)$/.test(item.text) || updates || (item.text === ',' && inFrom);
    const named = starts ? tableAt(block, index + 1, tables) : null;
    if (named !== null) found.push({ ...named, block, inserted: item.text === 'into' });
  });
  return found;
}

/** The tenant table at a position, if any: `[ONLY] [public.]table [[AS] alias]`. */
function tableAt(block: Block, at: number, tables: Tables): { table: string; alias: string } | null {
  const index = placeOfName(block, at);
  const table = nameAt(block, at);
  if (!tables.has(table) && table !== ACCOUNTS) return null;
  const next = isWord(block.items[index + 1], 'as') ? index + 2 : index + 1;
  const alias = block.items[next];
  const named = isToken(alias) && alias.kind === 'word' && !NO_ALIAS.has(alias.text);
  return { table, alias: named ? alias.text : table };
}

/** The name of the table at a position; that of the whole table for a partition. */
const nameAt = (block: Block, at: number): string => textOf(block.items[placeOfName(block, at)]).replace(PARTITION, '');

function placeOfName(block: Block, at: number): number {
  let index = at;
  while (isWord(block.items[index], 'only') || isWord(block.items[index], 'lateral')) index += 1;
  return isWord(block.items[index], 'public') && isSymbol(block.items[index + 1], '.') ? index + 2 : index;
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
