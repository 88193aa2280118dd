import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ApplicationDetail } from '../../../api/read-application.ts';
import { Empty } from '../../../design/empty.tsx';
import { useTheme } from '../../../design/theme.ts';
import { t } from '../../../messages/index.ts';
import type { TreeItem } from '../../tree/tree-model.ts';
import { ContainerSelect } from '../container-select.tsx';
import { containersOf } from '../containers.ts';
import { liveObjectQuery } from '../queries.ts';
import { connectShell } from './connect-shell.ts';
import { withNonce } from './with-nonce.ts';

interface TerminalViewProps {
  readonly app: ApplicationDetail;
  readonly item: TreeItem;
}

/** A shell in a container of a Pod. */
export default function TerminalView({ app, item }: TerminalViewProps) {
  const { data: pod } = useQuery(liveObjectQuery(app, item));
  const containers = containersOf(pod);
  const [chosen, setChosen] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const [ended, setEnded] = useState<string>();
  const container = chosen ?? containers[0];
  if (pod === undefined) return null;
  if (container === undefined) return <Empty icon="cluster" title={t.resource.missing} />;
  return (
    <div className="stack terminal-view">
      <div className="row log-tools">
        <ContainerSelect containers={containers} value={container} onChange={setChosen} />
        <span className="spread" />
        {ended !== undefined && (
          <>
            <span className="small muted" role="status">
              {ended}
            </span>
            <button type="button" className="button" onClick={() => setAttempt(attempt + 1)}>
              {t.terminal.reconnect}
            </button>
          </>
        )}
      </div>
      <Screen key={`${container} ${attempt}`} app={app} item={item} container={container} onEnd={setEnded} />
    </div>
  );
}

interface ScreenProps extends TerminalViewProps {
  readonly container: string;
  readonly onEnd: (reason: string | undefined) => void;
}

function Screen({ app, item, container, onEnd }: ScreenProps) {
  const parent = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const { name, namespace, project } = app;
  const ended = useRef(onEnd);
  ended.current = onEnd;
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read when the theme has changed
  useEffect(() => {
    const element = parent.current;
    if (!element) return;
    const screen = new Terminal({
      cursorBlink: true,
      fontFamily: token('--mono'),
      fontSize: 13,
      screenReaderMode: true,
      theme: { background: token('--bg'), foreground: token('--text'), cursor: token('--accent') },
    });
    const fit = new FitAddon();
    screen.loadAddon(fit);
    withNonce(() => screen.open(element));
    fit.fit();
    ended.current(undefined);
    const target = { appName: name, appNamespace: namespace, projectName: project, namespace: item.namespace };
    const shell = connectShell(
      { ...target, pod: item.name, container },
      {
        onOpen: () => {
          shell.resize(screen.cols, screen.rows);
          screen.focus();
        },
        onOutput: (text) => screen.write(text),
        onEnd: (reason) => ended.current(reason),
      },
    );
    screen.onData((text) => shell.write(text));
    screen.onResize(({ cols, rows }) => shell.resize(cols, rows));
    const observer = new ResizeObserver(() => fit.fit());
    observer.observe(element);
    return () => {
      observer.disconnect();
      shell.close();
      screen.dispose();
    };
  }, [name, namespace, project, item.namespace, item.name, container, theme]);
  return <section ref={parent} className="terminal-screen card" aria-label={t.terminal.label(container)} />;
}

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
