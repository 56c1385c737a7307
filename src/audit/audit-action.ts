/** The actions that leave an entry in the audit log. The word before the dot is the type of the subject. */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.suspended',
  'account.activated',
  'account.contacts_erased',
  'account.credited',
  'agent.created',
  'agent.changed',
  'agent.deactivated',
  'agent.activated',
  'agent.signed_in',
  'agent.sign_in_refused',
  'agent.signed_out',
  'agent.password_set',
  'agent.sign_in_link_created',
  'api_key.created',
  'api_key.rotated',
  'api_key.reissued',
  'api_key.revoked',
  'business_phone.created',
  'business_phone.changed',
  'business_phone.connected',
  'business_phone.removed',
  'campaign.sent',
  'campaign.paused',
  'campaign.resumed',
  'campaign.cancelled',
  'campaign.failed',
  'campaign.retried',
  'contact.erased',
  'organisation.changed',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.redelivered',
  'webhook.replayed',
  'webhook.replay_cancelled',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

type SubjectTypeOf<Action extends string> = Action extends `${infer Subject}.${string}` ? Subject : never;

/** The kind of record that an action concerns. */
export type SubjectType = SubjectTypeOf<AuditAction>;

export const subjectTypeOf = (action: AuditAction): SubjectType => action.split('.')[0] as SubjectType;

export const SUBJECT_TYPES: readonly SubjectType[] = [...new Set(AUDIT_ACTIONS.map(subjectTypeOf))];
