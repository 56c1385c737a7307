import { type Command, Option } from 'commander';
import { AGENT_ROLES, AGENT_STATUSES, type Agent, type AgentRole, type AgentStatus } from '../agents/agent.js';
import { ConfigError } from '../config/variables.js';
import { linkAt } from '../sessions/sign-in-links.service.js';
import type { RecordId } from '../values/record-id.js';
import { email, recordId, textUpTo } from './argument-values.js';
import { type CommandRunner, MAX_LISTED } from './command-runner.js';
import { addPasswordOptions, type Input, type PasswordOptions, passwordOf } from './secret-options.js';

interface CreateOptions {
  readonly organisation: RecordId;
  readonly name: string;
  readonly email: string;
  readonly role: AgentRole;
}

interface SetOptions {
  readonly name?: string;
  readonly email?: string;
  readonly role?: AgentRole;
}

/** `agents create|list|show|set|set-password|sign-in-link|deactivate|activate`. */
export function addAgentCommands(cli: Command, runner: CommandRunner, input: Input): void {
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
    .command('set')
    .description('Change the name, the e-mail address or the role of an agent')
    .argument('<id>', 'user', recordId)
    .option('--name <name>', 'full name', textUpTo(256))
    .option('--email <address>', 'e-mail address, unique in the organisation', email)
    .addOption(new Option('--role <role>', 'role of the agent').choices(AGENT_ROLES))
    .action((id: RecordId, { name, email: address, role }: SetOptions, command: Command) => {
      const changes = { ...(name && { fullName: name }), ...(address && { email: address }), ...(role && { role }) };
      if (Object.keys(changes).length === 0) command.error('error: nothing to set; see --help for the options');
      return runner.run(command, async (operator) => {
        await operator.agents.set(id, changes);
        return rowOf(await operator.agents.show(id));
      });
    });
  addPasswordOptions(
    agents
      .command('set-password')
      .description('Set the password with which a person signs in to the console; signs them out everywhere')
      .argument('<id>', 'user: an agent, or the owner of an account', recordId),
  ).action(async (id: RecordId, options: PasswordOptions, command: Command) => {
    const password = await passwordOf(options, input, command);
    return runner.run(command, async (operator) => {
      await operator.passwords.set(id, password);
      return { user_id: id };
    });
  });
  agents
    .command('sign-in-link')
    .description('Print a link to the console that signs a person in once within 10 minutes, to choose a password')
    .argument('<id>', 'user: an agent, or the owner of an account', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const { publicUrl } = operator;
        if (publicUrl === null) throw new ConfigError('PUBLIC_URL is required: the link leads there');
        const { token, expiresAt } = await operator.signInLinks.issue(id);
        return { link: linkAt(publicUrl, token), expires_at: expiresAt?.toISOString() ?? null };
      }),
    );
  agents
    .command('deactivate')
    .description('Stop assigning conversations to the agent, release the open ones, and sign them out')
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

const rowOf = ({ userId, fullName, email: address, emailClashes, role, status }: Agent) => ({
  user_id: userId,
  name: fullName,
  email: address,
  ...(emailClashes && { email_clashes: true }),
  role,
  status,
});
