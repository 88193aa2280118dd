import { ImagesError, imageRule } from '@fairlead/images';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { imageTest } from '../../command-line/specs/image.ts';
import { decisionLines, ruleLine } from '../../images/decision-lines.ts';
import { openRegistries, readRegistriesConf } from '../../images/registries.ts';

/** `fairlead image test IMAGE[:CONSTRAINT]` */
export const run: Handler<typeof imageTest> = async ({ flags, args, environment, terminal }) => {
  const [imageName = ''] = args;
  const opened = openRegistries({
    conf: readRegistriesConf(flags['registries-conf']),
    environment: environment.processes,
    secret: undefined,
    allowProcessSources: true,
  });
  try {
    const rule = imageRule({
      alias: '',
      imageName,
      commonUpdateSettings: {
        ...(flags.strategy === undefined ? {} : { updateStrategy: flags.strategy }),
        ...(flags['allow-tags'] === undefined ? {} : { allowTags: flags['allow-tags'] }),
        ...(flags['ignore-tags'] === undefined ? {} : { ignoreTags: [...flags['ignore-tags']] }),
        ...(flags.platform === undefined ? {} : { platforms: [...flags.platform] }),
        ...(flags.credentials === undefined ? {} : { pullSecret: flags.credentials }),
      },
    });
    const { selection } = await opened.registries.select(rule, '', { notBefore: 0 });
    const { chosen } = selection;
    terminal.write(
      [`${imageName}: ${ruleLine(rule)}`, ...decisionLines(selection, flags['all-tags'] ?? false)]
        .map((line) => `${line}\n`)
        .join(''),
    );
    terminal.write(
      chosen ? `${chosen.name}${chosen.digest ? `@${chosen.digest}` : ''}\n` : `no tag: ${selection.reason}\n`,
    );
    return chosen ? exitCodes.ok : exitCodes.error;
  } catch (error) {
    if (error instanceof ImagesError) throw new CliError(error.message);
    throw error;
  } finally {
    await opened.close();
  }
};
