// Finds statements outside src/consent that write whether somebody gets marketing. Only the consent room knows the rule;
// what creates contacts takes columns and values from it. Part of `npm run check`, with the other house rules.

const CONSENT = '(?:opted_in|consent_at|consent_by)';

/** What only src/consent may write. `[^`]` keeps a match within one statement. */
const WRITES = [
  { pattern: new RegExp(`\\bSET\\s[^\`]*?\\b${CONSENT}\\s*=\\s*(?!=)`, 'g'), keyword: 'SET' },
  { pattern: new RegExp(`\\bINSERT INTO contacts\\b[^)\`]*\\b${CONSENT}\\b`, 'g') },
  { pattern: /\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(?:consent_decisions|suppressions)\b/g },
  // Through the entity.
  { pattern: /\.(?:insert|update|save|delete|upsert)\(\s*(?:ConsentDecision|Suppression)\b/g },
  { pattern: /\.(?:insert|update|save|upsert)\(\s*Contact\b[^;`]*\b(?:optedIn|consentAt|consentBy)\b/g },
];

/** An assignment ends where the next clause of its statement begins; what follows only reads. */
const isAssigned = (found) => !/\b(?:FROM|WHERE|RETURNING|SELECT)\b/.test(found.replace(/\([^()]*\)/g, ''));

/**
 * @param text the source of `file`
 * @returns one line per statement that writes consent
 */
export function consentWrites(file, text) {
  if (!/^src\/(?!consent\/).*(?<!\.spec)\.ts$/.test(file)) return [];
  return WRITES.flatMap(({ pattern, keyword }) =>
    [...text.matchAll(pattern)]
      .filter(([found]) => keyword === undefined || isAssigned(found))
      .map(({ index }) => {
        const line = text.slice(0, index).split('\n').length;
        return `${file}:${line}: only src/consent decides who gets marketing: use ConsentLedger, or its columns for a new contact`;
      }),
  );
}
