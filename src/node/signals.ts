/** What ends a program from outside: Ctrl-C, `kill`, and a terminal that closes. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
