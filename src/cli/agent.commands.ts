import { type Command, Option } from 'commander';
import { AGENT_ROLES, AGENT_STATUSES, type Agent, type AgentRole, type AgentStatus } from '../agents/agent.js';
import type { RecordId } from '../values/record-id.js';
import { email, recordId, textUpTo } from './argument-values.js';
import { type CommandRunner, MAX_LISTED } from './command-runner.js';

interface CreateOptions {
  readonly organisation: RecordId;
  readonly name: string;
  readonly email: string;
  readonly role: AgentRole;
}

/** `agents create|list|show|deactivate|activate`. */
export function addAgentCommands(cli: Command, runner: CommandRunner): void {
  const agents = cli.command('agents').description('Agents of an organisation');
  agents
    .command('create')
    .description('Add an agent to an organisation')
    .requiredOption('--organisation <id>', 'the organisation', recordId)
    .requiredOption('--name <name>', 'full name', textUpTo(256))
    .requiredOption('--email <address>', 'e-mail address, unique in the organisation', email)
    .addOption(new Option('--role <role>', 'role of the agent').choices(AGENT_ROLES).makeOptionMandatory())
    .action(({ organisation, name, email, role }: CreateOptions, command: Command) =>
      runner.run(command, async (operator) => ({
        user_id: await operator.agents.add({ organisationId: organisation, fullName: name, email, role }),
      })),
    );
  agents
    .command('list')
    .description('List the agents of an organisation, newest first')
    .requiredOption('--organisation <id>', 'the organisation', recordId)
    .addOption(new Option('--status <status>', 'which agents').choices(AGENT_STATUSES).default('active'))
    .action(({ organisation, status }: { organisation: RecordId; status: AgentStatus }, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.organisations.find(organisation);
        const { rows } = await operator.agents.list(organisation, { status }, { page: 1, limit: MAX_LISTED });
        return { agents: rows.map(rowOf) };
      }),
    );
  agents
    .command('show')
    .description('Show an agent')
    .argument('<id>', 'user', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const agent = await operator.agents.show(id);
        return { ...rowOf(agent), organisation_id: agent.organisationId };
      }),
    );
  agents
    .command('deactivate')
    .description('Stop assigning conversations to the agent, and release the open ones')
    .argument('<id>', 'user', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.agents.deactivate(id);
        return { user_id: id, status: 'deactivated' };
      }),
    );
  agents
    .command('activate')
    .description('Activate a deactivated agent again')
    .argument('<id>', 'user', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.agents.activate(id);
        return { user_id: id, status: 'active' };
      }),
    );
}

const rowOf = ({ userId, fullName, email, role, status }: Agent) => ({
  user_id: userId,
  name: fullName,
  email,
  role,
  status,
});
