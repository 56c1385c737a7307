import { type Command, Option } from 'commander';
import { type PhoneNumber } from '../values/phone-number.js';
import { withApiOptions, withSimulatorOption } from './api-access.js';
import { phoneNumber, textUpTo } from './argument-values.js';
import type { CommandRunner } from './command-runner.js';
import { CONVERSATION_CHANGES, ConversationTriggers } from './conversation-triggers.js';
import { CUSTOMER, INBOUND_TYPES, PERSON_TRIGGERS, SEND_TRIGGERS } from './trigger-plans.js';
import { Triggers } from './triggers.js';

interface InboundFlags {
  readonly from: PhoneNumber;
  readonly name?: string;
  readonly text?: string;
  readonly type: string;
  readonly forwarded?: true;
  readonly ad?: true;
  readonly hideNumber?: true;
}

/** Maximum length of a text message, characters. */
const MAX_TEXT = 4096;

/** `trigger …`: triggers each kind of event on the simulated network. */
export function addTriggerCommands(cli: Command, runner: CommandRunner): void {
  const trigger = cli.command('trigger').description('Trigger events on the simulated network, to see their webhooks');
  const add = (name: string, description: string): Command =>
    withSimulatorOption(withApiOptions(trigger.command(name).description(description)));

  for (const [name, plan] of Object.entries(SEND_TRIGGERS)) {
    add(name, plan.description)
      .option('--to <number>', `the recipient${plan.ending ? `; ends in ${plan.ending}` : ''}`, phoneNumber, plan.to)
      .action(({ to }: { to: PhoneNumber }, command: Command) => {
        if (!to.endsWith(plan.ending))
          command.error(`error: --to must end in ${plan.ending} (got ${to}): ${plan.because}`);
        return runner.runOverHttp(command, (access) => new Triggers(access).send(plan, to));
      });
  }

  add('inbound', 'A contact writes: message.received, and message.reply when it answers one of your messages')
    .option('--from <number>', 'who writes', phoneNumber, CUSTOMER)
    .option('--name <name>', 'the name in their profile', textUpTo(256))
    .option('--text <text>', 'what they write (default: Hello)', textUpTo(MAX_TEXT))
    .addOption(new Option('--type <type>', 'what they send').choices(INBOUND_TYPES).default('text'))
    .option('--forwarded', 'they forward it from another chat')
    .option('--ad', 'they come from an ad')
    .option('--hide-number', 'they hide their number')
    .action(({ ad, hideNumber, ...flags }: InboundFlags, command: Command) => {
      if (flags.text !== undefined && flags.type !== 'text') {
        command.error(`error: --text requires --type text, not ${flags.type}`);
      }
      return runner.runOverHttp(command, (access) =>
        new Triggers(access).inbound({
          ...flags,
          ...(ad ? { referral: true } : {}),
          ...(hideNumber ? { hide_number: true } : {}),
        }),
      );
    });

  for (const [name, plan] of Object.entries(PERSON_TRIGGERS)) {
    add(name, plan.description)
      .option('--contact <number>', 'which contact', phoneNumber, CUSTOMER)
      .action(({ contact }: { contact: PhoneNumber }, command: Command) =>
        runner.runOverHttp(command, (access) => new Triggers(access).person(plan, contact)),
      );
  }

  for (const [name, word, optedIn] of [
    ['optout', 'STOP', false],
    ['optin', 'START', true],
  ] as const) {
    add(name, `A contact writes ${word}: message.received, and opted_in becomes ${optedIn}`)
      .option('--from <number>', 'who writes', phoneNumber, CUSTOMER)
      .action(({ from }: InboundFlags, command: Command) =>
        runner.runOverHttp(command, (access) => new Triggers(access).consent(from, word, optedIn)),
      );
  }

  for (const [name, description] of Object.entries(CONVERSATION_CHANGES)) {
    withApiOptions(trigger.command(name).description(description))
      .option('--contact <number>', 'whose conversation', phoneNumber, CUSTOMER)
      .action(({ contact }: { contact: PhoneNumber }, command: Command) =>
        runner.runOverHttp(command, ({ api }) =>
          new ConversationTriggers(api, contact).trigger(name as keyof typeof CONVERSATION_CHANGES),
        ),
      );
  }
}
