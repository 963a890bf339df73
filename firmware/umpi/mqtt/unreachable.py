"""Why a broker cannot be reached, in words that say what to change."""

from __future__ import annotations

import os
import socket
import ssl
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from umpi.mqtt.broker import BrokerPlan

# The codes of X509_verify_cert: https://docs.openssl.org/3.0/man3/X509_STORE_CTX_get_error/
EXPIRED, NOT_YET = 10, 9
OTHER_HOST = (62, 64)  # another name, another address
LOGIN = ("Not authorized", "Bad user name or password")


def why_failed(fault: BaseException | None, plan: BrokerPlan) -> str:
    """Return why no connection could be made."""
    match fault:
        case ssl.SSLCertVerificationError(verify_code=code):
            return _distrust(code, fault.verify_message, plan)
        case ssl.SSLEOFError() | ConnectionResetError() | ssl.SSLError(reason="WRONG_VERSION_NUMBER") if plan.tls:
            return "The broker ends the connection at once. It may have TLS at another port, usually 8883."
        case ssl.SSLError():
            return f"TLS does not work: {fault.reason or fault}"
        case socket.gaierror():
            return "The name of the broker is unknown in this network."
        case TimeoutError():
            return "The broker does not answer."
        case OSError(errno=int(number)):
            return f"The broker does not answer: {os.strerror(number)}"
        case _:
            return f"The broker does not answer: {fault}"


def why_refused(reason: str, plan: BrokerPlan) -> str:
    """Return why the broker did not accept the login, from the reason that it gave."""
    if reason not in LOGIN:
        return f"The broker refuses the connection: {reason}"
    if not plan.user:
        return "The broker wants a user and a password. Enter user and password_file in [mqtt]."
    return f'The broker refuses the user "{plan.user}" or their password.'


def why_ended(reason: str, accepted: bool, plan: BrokerPlan) -> str:
    """Return why the connection ended."""
    if accepted:
        return f"The connection to the broker is lost: {reason}"
    return "The broker ends the connection at once." + ("" if plan.tls else " It may want TLS: tls = true in [mqtt].")


def _distrust(code: int, message: str, plan: BrokerPlan) -> str:
    if code in (EXPIRED, NOT_YET):
        what = "has expired" if code == EXPIRED else "is not valid yet"
        return f"The certificate of the broker {what}, or the clock of this computer is wrong."
    if code in OTHER_HOST:
        return f"The certificate of the broker is not for {plan.host}. Use a name for which it was made."
    whose = f"the authority in {plan.ca}" if plan.ca else "an authority that this computer trusts"
    return f"The certificate of the broker is not from {whose} ({message}). Enter the right file as ca in [mqtt]."
