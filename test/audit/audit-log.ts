import type { AuditRecord, AuditResponse } from '../../src/audit/dto/audit.response.js';
import type { TestAccount } from '../support/world.js';

/** A page of an account's audit log. */
export async function auditPage({ api }: Pick<TestAccount, 'api'>, query = ''): Promise<AuditResponse> {
  const { status, body, text } = await api.get<AuditResponse & Record<string, unknown>>(`/api/v1/audit/${query}`);
  if (status !== 200) throw new Error(text);
  return body;
}

/** The newest 100 entries of an account's audit log, oldest first. */
export const entriesOf = async (account: Pick<TestAccount, 'api'>): Promise<AuditRecord[]> =>
  (await auditPage(account, '?limit=100')).audit_entries.reverse();

/** The actions in an account's audit log, oldest first. */
export const actionsOf = async (account: Pick<TestAccount, 'api'>): Promise<string[]> =>
  (await entriesOf(account)).map(({ action }) => action);
