/** The words of the list of shortcuts; what the letters of a screen do stands with the words of that screen. */
export const keyboardWords = {
  close: 'Close',
  joined: 'then',
  here: 'On this page',
  off: 'Single letters are off. Turn them on in Settings, under You.',
  groups: {
    everywhere: 'Everywhere',
    list: 'In the inbox',
    thread: 'In an open conversation',
    writing: 'While you write',
    campaigns: 'In the list of campaigns',
    campaign: 'In a campaign',
    replies: 'In saved replies',
  },
  rows: {
    help: 'This list',
    escape: 'Close, or leave a field',
    goTo: (screen: string): string => `Go to ${screen}`,
    open: 'Open the row',
    send: 'Send',
    line: 'New line',
    replies: 'Saved replies, where a word begins',
  },
} as const;
