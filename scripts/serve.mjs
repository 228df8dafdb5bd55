// serve.mjs FOLDER PORT: serves until it is interrupted, and then ends well.
import { serve } from "./static-server.mjs";

const [folder, port] = process.argv.slice(2);
try {
  const server = await serve(folder, { port: Number(port) });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      server.close(() => process.exit(0));
      server.closeAllConnections();
    });
  }
  console.log(`Headroom is served until Ctrl-C at\nhttp://127.0.0.1:${server.address().port}`);
} catch (error) {
  const why = error.code === "EADDRINUSE" ? `port ${port} is in use: stop what uses it, or say PORT=8090 make run` : error.message;
  console.error(`headroom: ${why}`);
  process.exit(1);
}
