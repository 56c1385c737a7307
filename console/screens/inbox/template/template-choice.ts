import type { SendTemplateRequest } from '../../../../clients/typescript/src/generated/schema.js';

/** A template with its values, ready to be sent. */
export interface TemplateChoice {
  readonly template_name: string;
  /** The fields of the request beside the person and the business phone. */
  readonly request: Omit<
    SendTemplateRequest,
    'contact_phone' | 'contact_user_id' | 'contact_name' | 'waba_phone_id' | 'agent_user_id' | 'reply_to'
  >;
  /** What the person reads. */
  readonly preview: string;
}
