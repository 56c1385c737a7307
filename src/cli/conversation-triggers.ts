import type { PhoneNumber } from '../values/phone-number.js';
import { CommandFailure } from './command-failure.js';
import type { CommandResult } from './command-runner.js';
import type { JsonApi } from './json-api.js';

/** The changes to a conversation, by command name. */
export const CONVERSATION_CHANGES = {
  assigned: 'Assign a conversation to another agent: conversation.assigned',
  unassigned: 'Take a conversation from its agent: conversation.unassigned',
  resolved: 'Resolve a conversation: conversation.resolved',
  reopened: 'Reopen a conversation: conversation.reopened',
} as const;

/** One of {@link CONVERSATION_CHANGES}. */
export type ConversationVerb = keyof typeof CONVERSATION_CHANGES;

const EVENT_OF = {
  assign: 'conversation.assigned',
  unassign: 'conversation.unassigned',
  resolve: 'conversation.resolved',
  reopen: 'conversation.reopened',
} as const;

interface Assignment {
  readonly status: 'open' | 'resolved' | null;
  readonly assigned_to: string | null;
}

/** Changes a contact's conversation. Sets up the state that the change needs first, such as an assignment to end. */
export class ConversationTriggers {
  private readonly events: string[] = [];

  constructor(
    private readonly api: JsonApi,
    private readonly contact: PhoneNumber,
  ) {}

  async trigger(change: ConversationVerb): Promise<CommandResult> {
    const { status, assigned_to } = await this.assignment();
    switch (change) {
      case 'assigned':
        if (status === 'resolved') await this.act('reopen');
        await this.assign();
        break;
      case 'unassigned':
        if (assigned_to === null) {
          if (status === 'resolved') await this.act('reopen');
          else await this.assign();
        }
        await this.act('unassign');
        break;
      case 'resolved':
        if (status === 'resolved') await this.act('reopen');
        await this.act('resolve');
        break;
      case 'reopened':
        if (status !== 'resolved') await this.act('resolve');
        await this.act('reopen');
    }
    const now = await this.assignment();
    return {
      contact_phone: this.contact,
      status: now.status,
      assigned_to: now.assigned_to,
      events: this.events,
    };
  }

  private async assignment(): Promise<Assignment> {
    const { data } = await this.api.get<{ data: Assignment }>(`/api/v1/conversations/${this.contact}/assignment`);
    return data;
  }

  private async assign(): Promise<void> {
    const { agents } = await this.api.get<{ agents: { user_id: string }[] }>('/api/v1/agents/');
    const { assigned_to } = await this.assignment();
    const agent = agents.find(({ user_id }) => user_id !== assigned_to) ?? agents[0];
    if (agent === undefined) throw new CommandFailure('the organisation has no agents: add one with agents create');
    if (agent.user_id === assigned_to) await this.act('unassign');
    await this.act('assign', { user_id: agent.user_id });
  }

  private async act(action: keyof typeof EVENT_OF, body = {}): Promise<void> {
    await this.api.post(`/api/v1/conversations/${this.contact}/${action}`, body);
    this.events.push(EVENT_OF[action]);
  }
}
