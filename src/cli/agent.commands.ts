import { type Command, Option } from 'commander';
import { AGENT_ROLES, type AgentRole } from '../agents/agent.js';
import type { RecordId } from '../values/record-id.js';
import { email, recordId, text } from './argument-values.js';
import type { CommandRunner } from './command-runner.js';

interface CreateOptions {
  readonly organisation: RecordId;
  readonly name: string;
  readonly email: string;
  readonly role: AgentRole;
}

/** `agents create|deactivate`. */
export function addAgentCommands(cli: Command, runner: CommandRunner): void {
  const agents = cli.command('agents').description('Agents of an organisation');
  agents
    .command('create')
    .description('Add an agent to an organisation')
    .requiredOption('--organisation <id>', 'the organisation', recordId)
    .requiredOption('--name <name>', 'full name', text(256))
    .requiredOption('--email <address>', 'e-mail address, unique in the organisation', email)
    .addOption(new Option('--role <role>', 'role of the agent').choices(AGENT_ROLES).makeOptionMandatory())
    .action(({ organisation, name, email, role }: CreateOptions, command: Command) =>
      runner.run(command, async (operator) => ({
        user_id: await operator.agents.add({ organisationId: organisation, fullName: name, email, role }),
      })),
    );
  agents
    .command('deactivate')
    .description('Stop assigning conversations to the agent')
    .argument('<id>', 'user', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.agents.deactivate(id);
        return { user_id: id, status: 'deactivated' };
      }),
    );
}
