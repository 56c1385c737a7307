/** Who comes first in the inbox: who wrote last, or who has waited longest. */
export type InboxOrder = 'last_inbound' | 'longest_waiting';
