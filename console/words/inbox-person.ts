import { count } from './numbers.js';

const FULL = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** The words about a person. */
export const inboxPersonWords = {
  about: (name: string): string => `About ${name}`,
  person: 'The person',
  gone: 'This person is no longer among your contacts.',
  erased: 'This person was erased. What they wrote is gone, only counts remain.',
  none: 'none',
  close: 'Close',
  date: (at: string): string => FULL.format(new Date(at)),

  facts: {
    title: 'Person',
    name: 'Name',
    number: 'Number',
    hidden: 'hidden',
    userId: 'Network’s id',
    username: 'Username',
    email: 'Email',
    company: 'Company',
    since: 'Contact since',
    tags: 'Tags',
    noTags: 'No tags',
  },

  edit: {
    start: 'Edit',
    startOf: (name: string): string => `Edit ${name}`,
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    company: 'Company',
    tags: 'Tags',
    newTag: 'New tag',
    tagHint: 'Enter adds it.',
    removeTag: (tag: string): string => `Remove ${tag}`,
    noName: 'Enter a name.',
    save: 'Save',
    saving: 'Saving…',
    cancel: 'Cancel',
    offline: 'Offline: can’t save',
  },

  consent: {
    title: 'Marketing',
    in: 'Opted in',
    out: 'Opted out',
    undecided: 'Not decided',
    reached: 'Campaigns reach them, since nobody opted out.',
    /** Who decided, by which proof. */
    by: {
      person: 'by themselves',
      network: 'by the network for them',
      account: 'by your organisation',
    } as Readonly<Record<string, string>>,
    how: {
      message: 'with a message',
      callback: 'in WhatsApp',
      request: 'by hand or by the API',
      import: 'with a file',
      merge: 'taken over from another contact',
    } as Readonly<Record<string, string>>,
    since: (date: string): string => `Since ${date}`,
    optOut: 'Opt out…',
    optIn: 'Lift the opt-out…',
    keep: 'Leave it',
    offline: 'Offline: can’t change',
    saving: 'Saving…',
    askOut: {
      title: (name: string): string => `Opt ${name} out of marketing?`,
      text: 'They get no marketing templates and no marketing campaigns from now on. You can still answer them.',
      lifting: 'Only a manager can lift it again.',
      confirm: 'Opt out',
    },
    askIn: {
      title: (name: string): string => `Opt ${name} in again?`,
      text: 'Campaigns reach them again from now on. Do this only if they have agreed to it.',
      lifting: '',
      confirm: 'Opt in',
    },
    part: 'Their consent',
  },

  elsewhere: {
    groups: 'Groups',
    conversations: 'Other conversations',
    conversation: (number: string): string => `With ${number}`,
    states: { open: 'Open', resolved: 'Resolved' } as Readonly<Record<string, string>>,
    campaigns: 'Campaigns',
    noCampaigns: 'Was in none.',
    noGroups: 'In none.',
    all: (total: number): string => `Show all ${count(total)}`,
    newest: (shown: number, total: number): string => `The newest ${count(shown)} of ${count(total)}.`,
    part: 'Groups and conversations',
    campaignsPart: 'The campaigns',
  },
} as const;
