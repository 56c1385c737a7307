/** What a message of ours has come to, in a word: the same wherever it is said. */
export const messageStates = {
  pending: 'Sending',
  accepted: 'Held back',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Not delivered',
} as const;
