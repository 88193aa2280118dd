import { textAt } from '@fairlead/apimachinery/json-at';
import { t } from '../../../messages/index.ts';

export interface ShellTarget {
  readonly appName: string;
  readonly appNamespace: string;
  readonly projectName: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface Shell {
  write(text: string): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

interface ShellEvents {
  readonly onOpen: () => void;
  readonly onOutput: (text: string) => void;
  /** The shell has ended, or could not be started. */
  readonly onEnd: (reason: string) => void;
}

/** A shell in a container, through the WebSocket of the server. */
export function connectShell(target: ShellTarget, { onOpen, onOutput, onEnd }: ShellEvents): Shell {
  const url = new URL('/terminal', location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  url.search = new URLSearchParams({ ...target }).toString();
  const socket = new WebSocket(url);
  let isOpen = false;
  const send = (message: object): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  socket.onopen = () => {
    isOpen = true;
    onOpen();
  };
  socket.onmessage = ({ data }) => onOutput(textAt(JSON.parse(String(data)), 'data'));
  // A browser does not tell why a WebSocket was refused.
  socket.onclose = () => onEnd(isOpen ? t.terminal.ended : t.terminal.refused);
  return {
    write: (data) => send({ operation: 'stdin', data, rows: 0, cols: 0 }),
    resize: (cols, rows) => send({ operation: 'resize', data: '', rows, cols }),
    close: () => {
      socket.onclose = null;
      socket.close();
    },
  };
}
