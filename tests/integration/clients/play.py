#!/usr/bin/python3
"""A caller that is not ours asks for health, then plays a whole game to its
end against BestMove."""

import argparse
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from doors import (HEALTH, PATHS, SERVICE, GrpcDoor,  # noqa: E402
                   camel, renamed, snake)
from server import Server  # noqa: E402

MOST_PLIES = 600  # Far more than a game against the engine takes.


class Client:
    def __init__(self, server):
        self._server = server

    def health(self):
        return self.call("Check", json.dumps({"service": SERVICE}), HEALTH)

    def close(self):
        """Before the server stops."""


class Grpcio(Client):
    def __init__(self, server):
        super().__init__(server)
        self._door = GrpcDoor(server.grpc)
        self.call = self._door.call

    def close(self):
        self._door.channel.close()


class GrpcJs(Client):
    """Knows no .proto, but asks the server's reflection, which tells it the
    names of the .proto."""

    def __init__(self, server):
        super().__init__(server)
        self._caller = subprocess.Popen(
            ["node", pathlib.Path(__file__).with_name("grpc_js.js"),
             server.grpc], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)

    def call(self, rpc, request, service=SERVICE):
        call = {"service": service, "rpc": rpc,
                "request": renamed(json.loads(request), snake)}
        self._caller.stdin.write(json.dumps(call) + "\n")
        self._caller.stdin.flush()
        return renamed(json.loads(self._caller.stdout.readline()), camel)

    def close(self):
        self._caller.stdin.close()
        assert self._caller.wait(timeout=60) == 0


class Buf(Client):
    """Asks the server's reflection too."""

    def call(self, rpc, request, service=SERVICE):
        return run(["build/npm/node_modules/.bin/buf", "curl",
                    "--http2-prior-knowledge", "--protocol", "grpc",
                    "--emit-defaults", "-d", "@-",
                    f"http://{self._server.grpc}/{service}/{rpc}"], request)


class Curl(Client):
    def call(self, rpc, request):
        return run(["curl", "-sS", "-d", "@-",
                    f"http://{self._server.rest}{PATHS[rpc]}"], request)

    def health(self):
        ready = subprocess.run(
            ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}",
             f"http://{self._server.admin}/readyz"],
            check=True, stdout=subprocess.PIPE, text=True).stdout
        return {"status": "SERVING" if ready == "200" else ready}


def run(command, request):
    environment = {**os.environ, "BUF_CACHE_DIR": "build/npm/buf-cache"}
    answer = subprocess.run(command, input=request, check=True, text=True,
                            stdout=subprocess.PIPE, env=environment).stdout
    return json.loads(answer)


def whole_game(client):
    """The moves of a game and the state at its end; Red plays any legal move,
    Black the engine's."""
    moves = []
    game = {"ruleSet": "RULE_SET_YOUZAI", "moves": moves}
    answer = client.call("GameStatus", json.dumps(
        {"game": game, "includeLegalMoves": True}))
    while answer["state"]["termination"] == "TERMINATION_NONE":
        assert len(moves) < MOST_PLIES, answer
        legal = [move["uci"] for move in answer["legalMoves"]]
        if answer["state"]["sideToMove"] == "COLOR_RED":
            move = legal[7 * len(moves) % len(legal)]
        else:
            move = client.call("BestMove", json.dumps(
                {"game": game, "limits": {"nodes": "3000"}, "seed": "1"})
            )["best"]["uci"]
            assert move in legal, move
        answer = client.call("ValidateMove", json.dumps(
            {"game": game, "move": move, "includeLegalMoves": True}))
        assert answer["legal"], answer
        moves.append(move)
    assert answer["legalMoves"] == []
    late = client.call("ValidateMove", json.dumps(
        {"game": game, "move": moves[-1]}))
    assert late["violation"]["reason"] == "VIOLATION_REASON_GAME_OVER", late
    return moves, answer["state"]


def main():
    clients = {"grpcio": Grpcio, "grpc_js": GrpcJs, "buf": Buf, "curl": Curl}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--client", choices=clients, required=True)
    args = parser.parse_args()
    with Server(args.server) as server:
        client = clients[args.client](server)
        health = client.health()
        assert health == {"status": "SERVING"}, health
        moves, state = whole_game(client)
        assert state["phase"] == "PHASE_FINISHED", state
        assert state["result"] != "RESULT_ONGOING", state
        print(f"{state['result']} by {state['termination']} after "
              f"{len(moves)} plies")
        client.close()
        assert server.stop() == 0


if __name__ == "__main__":
    main()
